import Foundation
import HarnessBase
import Rendering

extension Project {
  /// The versions of the kit, Csound and the compiler, in one line.
  package static var version: String {
    let here = Provenance.current(root: root)
    let commit = here.commit.map { " at commit \($0)" } ?? ""
    return "OpcodeKit\(commit), Csound \(here.csound), \(here.compiler)"
  }

  /// Where and with what the opcodes that the options name are measured. The commit is that of the package they come
  /// from.
  package static func provenance(_ arguments: Arguments) -> Provenance {
    let package =
      arguments[.sources] ?? plugin(arguments)?.parentPath
    return .current(root: package ?? root)
  }
}
