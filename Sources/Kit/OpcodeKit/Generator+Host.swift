#if !hasFeature(Embedded)
  internal import CCsound
  internal import Synchronization

  /// Csound's own functions for the names of GEN routines and for making a table, the same in every
  /// instance. A reset leaves an instance with the functions it had.
  private struct TableFunctions: @unchecked Sendable {
    let names: @convention(c) (UnsafeMutablePointer<CSOUND>?) -> UnsafeMutableRawPointer?
    let makeTable: ccs_make_table

    private static let first = Mutex<TableFunctions?>(nil)

    /// Those of the first instance asked about, which nobody has changed.
    static func ofCsound(_ csound: CsoundPointer) -> TableFunctions {
      first.withLock { functions in
        if let functions { return functions }
        let own = TableFunctions(
          names: csound.pointee.GetNamedGens.unsafelyUnwrapped,
          makeTable: csound.pointee.hfgens.unsafelyUnwrapped)
        functions = own
        return own
      }
    }
  }

  /// What a Csound instance of this process knows about the host's GEN routines.
  private struct HostGenerators: BitwiseCopyable {
    let list: GeneratorListPointer
    /// The names for `ftgen`, and the last of them, which Csound's own follow.
    let names: UnsafeMutablePointer<ccs_named_generator>
    let lastName: UnsafeMutablePointer<ccs_named_generator>

    static let name = "OpcodeKit.generators"

    static func of(_ csound: CsoundPointer) -> HostGenerators? {
      csound.pointee.QueryGlobalVariable(csound, name)?.load(as: HostGenerators.self)
    }
  }

  extension CsoundGeneratorRegistry {
    /// Makes the GEN routines known to a Csound instance of this process, as `csound_fgen_init` makes
    /// those of a plugin.
    ///
    /// Call it once with all routines when the instance is new and again after a reset, before any
    /// table is made.
    public func install() {
      _ = TableFunctions.ofCsound(csound)
      guard
        let names = ccs_name_generators(csound, list),
        csound.pointee.CreateGlobalVariable(
          csound, HostGenerators.name, MemoryLayout<HostGenerators>.size) == 0,
        let memory = csound.pointee.QueryGlobalVariable(csound, HostGenerators.name)
      else { return }
      var lastName = names
      while let next = lastName.pointee.next { lastName = next }
      memory.storeBytes(
        of: HostGenerators(list: list, names: names, lastName: lastName), as: HostGenerators.self)

      csound.pointee.GetNamedGens = { csound in
        let csound = csound.unsafelyUnwrapped
        let own = TableFunctions.ofCsound(csound).names(csound)
        guard let host = HostGenerators.of(csound) else { return own }
        host.lastName.pointee.next = own?.assumingMemoryBound(to: ccs_named_generator.self)
        return UnsafeMutableRawPointer(host.names)
      }
      csound.pointee.hfgens = { csound, table, event, mode in
        let csound = csound.unsafelyUnwrapped
        let make = TableFunctions.ofCsound(csound).makeTable
        guard let host = HostGenerators.of(csound),
          let fill = ccs_host_generator(csound, host.list, event)
        else { return make(csound, table, event, mode) }
        return ccs_make_named_table(csound, table, event, mode, make, fill)
      }
    }
  }
#endif
