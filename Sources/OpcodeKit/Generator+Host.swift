#if !hasFeature(Embedded)
  internal import CCsound

  /// What a Csound instance of this process knows about the host's GEN routines.
  private struct HostGenerators: BitwiseCopyable {
    var list: GeneratorListPointer
    /// Csound's own way of making a table.
    var makeTable: ccs_make_table

    static let name = "OpcodeKit.generators"

    static func of(_ csound: CsoundPointer) -> UnsafeMutablePointer<HostGenerators>? {
      csound.pointee.QueryGlobalVariable(csound, name)?
        .assumingMemoryBound(to: HostGenerators.self)
    }
  }

  extension CsoundGeneratorRegistry {
    /// Makes the GEN routines known to a Csound instance of this process, as `csound_fgen_init` makes
    /// those of a plugin.
    ///
    /// Call it when the instance is new and again after a reset, before any table is made.
    public func install() {
      if let known = HostGenerators.of(csound) {
        known.pointee.list = list
        return
      }
      guard
        csound.pointee.CreateGlobalVariable(
          csound, HostGenerators.name, MemoryLayout<HostGenerators>.size) == 0,
        let generators = HostGenerators.of(csound)
      else { return }
      generators.initialize(
        to: HostGenerators(list: list, makeTable: csound.pointee.hfgens.unsafelyUnwrapped))
      csound.pointee.hfgens = { csound, table, event, mode in
        let generators = HostGenerators.of(csound.unsafelyUnwrapped).unsafelyUnwrapped.pointee
        guard let fill = ccs_named_generator(csound, generators.list, event) else {
          return generators.makeTable(csound, table, event, mode)
        }
        return ccs_make_named_table(csound, table, event, mode, generators.makeTable, fill)
      }
    }
  }
#endif
