/// The opcodes and GEN routines of a module: what a plugin has, and what a host in whose process the
/// module is can register.
public protocol OpcodeLibrary {
  /// Registers every opcode, by calling the `registerNAME(in:)` that `@Opcode` writes for each struct.
  /// Csound tries overloads of one name in this order: i-time before k-rate before a-rate.
  static func registerOpcodes(in registry: inout some OpcodeRegistry)

  /// Registers every GEN routine; none unless it says so.
  static func registerGenerators(in registry: inout some GeneratorRegistry)
}

extension OpcodeLibrary {
  public static func registerGenerators(in registry: inout some GeneratorRegistry) {}

  /// What `csound_opcode_init` does.
  public static func beginOpcodes(_ csound: CsoundPointer) -> Int64 {
    if let begin = newerOpcodes { return begin(csound, nil) }
    if processorSuits { registerEverything(csound) } else { reportProcessor(csound) }
    return 0
  }

  /// What `csound_fgen_init` does.
  public static func beginGenerators(_ csound: CsoundPointer) -> GeneratorListPointer {
    if let begin = newerGenerators { return begin(csound)! }
    return processorSuits ? everyGenerator(csound) : noGenerators
  }

  // Apart, so that none of their instructions move in front of the question.
  @inline(never)
  private static func registerEverything(_ csound: CsoundPointer) {
    var registry = CsoundRegistry(csound)
    registerOpcodes(in: &registry)
  }

  @inline(never)
  private static func everyGenerator(_ csound: CsoundPointer) -> GeneratorListPointer {
    var registry = CsoundGeneratorRegistry(csound)
    registerGenerators(in: &registry)
    return registry.list
  }

  #if !hasFeature(Embedded)
    /// Makes the library known to a Csound instance of this process, when it is new and after each
    /// reset.
    public static func install(in csound: CsoundPointer) {
      registerEverything(csound)
      var generators = CsoundGeneratorRegistry(csound)
      registerGenerators(in: &generators)
      generators.install()
    }
  #endif
}
