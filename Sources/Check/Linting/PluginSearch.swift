import CsoundHost
import Foundation
import HarnessBase

/// Which installed plugins a new engine loads.
enum PluginSearch {
  case none
  /// All but the plugin with this file name (without extension) and the builds of the same plugin for
  /// other targets.
  case allBut(String)

  private var variables: [String: String] {
    switch self {
    case .none: return Csound.withoutPlugins
    case .allBut(let name):
      let omitted = ProcessInfo.processInfo.environment["CS_OMIT_LIBS"].map { $0 + "," } ?? ""
      // The same plugin may be installed in its build for every processor.
      let plain = name.replacing(/(-csound7)?(-arm64|-x86-64)?(-x86-64-v\d)?$/, with: "")
      return ["CS_OMIT_LIBS": "\(omitted)\(name),\(plain),\(plain)-csound7"]
    }
  }

  /// A new engine. It is never destroyed, because that may crash in code of a plugin, and the process
  /// serves one plugin only.
  func engine() throws(Failure) -> Csound {
    let old = ProcessInfo.processInfo.environment
    for (name, value) in variables { setenv(name, value, 1) }
    defer {
      for name in variables.keys {
        if let value = old[name] { setenv(name, value, 1) } else { unsetenv(name) }
      }
    }
    do throws(CsoundError) {
      let csound = try Csound()
      _ = Unmanaged.passRetained(csound)
      return csound
    } catch {
      throw .unavailable("Csound made no engine to lint in.")
    }
  }
}
