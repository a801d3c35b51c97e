/// The opcodes and GEN routines of a module. A plugin registers them with Csound, and so can a host that the module is
/// linked into.
public protocol OpcodeLibrary {
  /// Registers every opcode by calling the `registerNAME(in:)` that `@Opcode` generates for each struct. Csound tries
  /// the overloads of a name in the order of registration, so register i-time before k-rate before a-rate.
  static func registerOpcodes(in registry: inout some OpcodeRegistry)

  /// Registers every GEN routine; none by default.
  static func registerGenerators(in registry: inout some GeneratorRegistry)
}

extension OpcodeLibrary {
  public static func registerGenerators(in registry: inout some GeneratorRegistry) {}

  /// The body of `csound_opcode_init`.
  @_documentation(visibility: internal)
  public static func beginOpcodes(_ csound: CsoundPointer) -> Int64 {
    if let begin = newerOpcodes { return begin(csound, nil) }
    if processorSuits { registerEverything(csound) } else { reportProcessor(csound) }
    return 0
  }

  /// The body of `csound_fgen_init`.
  @_documentation(visibility: internal)
  public static func beginGenerators(_ csound: CsoundPointer) -> GeneratorListPointer {
    if let begin = newerGenerators { return begin(csound)! }
    return processorSuits ? everyGenerator(csound) : noGenerators
  }

  // Separate functions, never inlined: none of their instructions may run before the processor check.
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
    /// Registers the library with a Csound instance of this process. Call it when the instance is new and after each
    /// reset.
    public static func install(in csound: CsoundPointer) {
      registerEverything(csound)
      var generators = CsoundGeneratorRegistry(csound)
      registerGenerators(in: &generators)
      generators.install()
    }
  #endif
}
