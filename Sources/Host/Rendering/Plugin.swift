import CCsound
import CsoundHost
import Foundation
import HarnessBase
import Targets

/// Csound plugins as files.
package enum Plugin {
  /// Checks that a file is a plugin Csound will load; Csound itself passes over others in silence.
  package static func check(_ path: String) throws(Failure) { _ = try open(path) }

  /// Loads a file that passes `check`; what is returned is for `dlsym`.
  ///
  /// The library stays in memory: a Swift runtime in it does not survive being unloaded.
  package static func open(_ path: String) throws(Failure) -> UnsafeMutableRawPointer {
    guard !path.contains(",") else {
      throw Failure(
        .usage,
        "The plugin '\(path)' has a comma in its path, where Csound would split it; rename it.")
    }
    try requireReadableFile(path)
    if let file = LibraryFile(path), file.machine != Processor.own.machine {
      let other = Processor.allCases.first { $0.machine == file.machine }?.rawValue
      throw Failure(
        .badInput,
        "'\(path)' is for \(other ?? "other") processors and cannot be loaded on this one, which is"
          + " \(Processor.own.rawValue).")
    }
    let library = Csound.inside("it loaded the plugin") {
      dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)
    }
    guard let library else {
      let reason = dlerror().map { String(cString: $0) } ?? "no reason given"
      throw Failure(.badInput, "'\(path)' cannot be loaded as a plugin: \(reason).")
    }
    let entries = ["csoundModuleCreate", "csound_opcode_init", "csound_fgen_init"]
    guard entries.contains(where: { dlsym(library, $0) != nil }) else {
      throw Failure(
        .badInput,
        "'\(path)' is a library but no Csound plugin: it has none of"
          + " \(entries.joined(separator: ", ")).")
    }
    if let info = dlsym(library, "csoundModuleInfo") {
      let version = unsafeBitCast(info, to: (@convention(c) () -> CInt).self)()
      let own = ccs_module_info()
      // The lowest byte is the size of MYFLT, the one above the API's minor version; a plugin that does
      // not depend on the size, or on the version, has zeros there.
      let (size, api) = (version & 0xFF, version & ~0xFF)
      let ownAPI = own & ~0xFF
      guard size == 0 || size == own & 0xFF, api == 0 || (api >> 16 == own >> 16 && api <= ownAPI)
      else {
        throw Failure(.badInput, otherCsound(path, version))
      }
    }
    return library
  }

  /// What to do with a plugin whose module version this Csound refuses.
  private static func otherCsound(_ path: String, _ version: CInt) -> String {
    let said =
      "'\(path)' was built for another Csound: module version \(version), this Csound takes"
      + " \(ccs_module_info())."
    // Csound 6 counts the versions of its API, Csound 7 its own.
    let (major, minor) = (version >> 16, version >> 8 & 0xFF)
    guard major >= 7 || Csound.major >= 7 else { return said }
    let file = (path as NSString).lastPathComponent
    let own =
      major >= 7
      ? file.replacing("-csound\(major)", with: "")
      : (file as NSString).deletingPathExtension + "-csound\(Csound.major).so"
    return said
      + " It is for Csound \(major >= 7 ? "\(major).\(minor)" : "6"); take '\(own)' for Csound"
      + " \(Csound.version), which './opcodekit build --csound \(Csound.major)' makes."
  }
}
