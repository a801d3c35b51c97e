import CCsound
import CsoundHost
import Foundation
import HarnessBase

/// Checks and loads Csound plugins.
package enum Plugin {
  /// Checks that a file is a plugin Csound will load. Csound itself ignores other files without a
  /// message.
  package static func check(_ path: String) throws(Failure) { _ = try open(path) }

  /// Checks a plugin, loads it, and returns a handle for `dlsym`.
  ///
  /// The library is never unloaded, because a Swift runtime in it cannot be.
  package static func open(_ path: String) throws(Failure) -> UnsafeMutableRawPointer {
    guard !path.contains(",") else {
      throw .usage(
        "The plugin '\(path)' has a comma in its path, where Csound would split it; rename it.")
    }
    try requireReadableFile(path)
    if let machine = LibraryFile.machine(of: path), machine != Processor.own.machine {
      let other = Processor.allCases.first { $0.machine == machine }?.rawValue
      throw .badInput(
        "'\(path)' is for \(other ?? "other") processors and cannot be loaded on this one, which is"
          + " \(Processor.own.rawValue).")
    }
    let library = Csound.inside("it loaded the plugin") {
      dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)
    }
    guard let library else {
      let reason = dlerror().map { String(cString: $0) } ?? "no reason given"
      throw .badInput("'\(path)' cannot be loaded as a plugin: \(reason).")
    }
    let entries = ["csoundModuleCreate", "csound_opcode_init", "csound_fgen_init"]
    guard entries.contains(where: { dlsym(library, $0) != nil }) else {
      throw .badInput(
        "'\(path)' is a library but no Csound plugin: it has none of"
          + " \(entries.joined(separator: ", ")).")
    }
    if let info = dlsym(library, "csoundModuleInfo") {
      let version = unsafeBitCast(info, to: (@convention(c) () -> CInt).self)()
      let own = ccs_module_info()
      // The lowest byte is the size of MYFLT, the next the API's minor version, the third its major
      // version. Zeros mean that the plugin does not depend on the size, or on the version.
      let (size, api) = (version & 0xFF, version & ~0xFF)
      let ownAPI = own & ~0xFF
      guard size == 0 || size == own & 0xFF, api == 0 || (api >> 16 == own >> 16 && api <= ownAPI)
      else { throw .badInput(otherCsound(path, version)) }
    }
    return library
  }

  /// The message for a plugin whose module version this Csound refuses, with advice.
  private static func otherCsound(_ path: String, _ version: CInt) -> String {
    let said =
      "'\(path)' was built for another Csound: module version \(version), this Csound takes"
      + " \(ccs_module_info())."
    // In Csound 6 the module version is that of the API, in Csound 7 that of Csound.
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
