#if !hasFeature(Embedded)
  internal import CCsound
  internal import Synchronization

  /// Csound's own functions that list the named GEN routines and make a table. They are the same in every instance, and
  /// an instance keeps replacements of them across a reset.
  private struct TableFunctions: @unchecked Sendable {
    let names: @convention(c) (UnsafeMutablePointer<CSOUND>?) -> UnsafeMutableRawPointer?
    let makeTable: ccs_make_table

    private static let first = Mutex<TableFunctions?>(nil)

    /// The functions of the first instance for which this is called, which are still Csound's own.
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

  /// The host's GEN routines, as registered with a Csound instance of this process.
  private struct HostGenerators: BitwiseCopyable {
    let list: GeneratorListPointer
    /// The list of names for `ftgen`, and its last entry, after which Csound's own list is linked.
    let names: UnsafeMutablePointer<ccs_named_generator>
    let lastName: UnsafeMutablePointer<ccs_named_generator>

    static let name = "OpcodeKit.generators"

    static func of(_ csound: CsoundPointer) -> HostGenerators? {
      csound.pointee.QueryGlobalVariable(csound, name)?.load(as: HostGenerators.self)
    }
  }

  extension CsoundGeneratorRegistry {
    /// Registers the GEN routines with a Csound instance of this process, as `csound_fgen_init` does for a plugin.
    ///
    /// Call it once with all routines when the instance is new, and again after each reset, before any table is made.
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
