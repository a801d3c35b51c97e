import CommandKit
import HarnessBase
import Targets

extension CommandOption where Self == Option<[CsoundVersion]?> {
  /// What `csounds` of the arguments reads.
  package static var csound: Self {
    Option(
      name: "csound", value: "6|7|both", takes: .csounds,
      help:
        "Build for this Csound, for 7 build/libNAME-csound7.so; for the installed one unless given."
    )
  }
  /// What `csounds` of the arguments reads, too.
  static var installedCsound: Self {
    Option(
      name: "csound", value: "6|7|both", takes: .csounds,
      help: "For this Csound, or for each; for the installed one unless given.")
  }
}

extension CommandOption where Self == Option<String?> {
  package static var csoundInclude: Self {
    Option(
      name: "csound-include", value: "DIR",
      help: "Where csound/csdl.h of that Csound is; the installed one's, or for 7 those PyPI has.")
  }
}

extension ValueReader<[CsoundVersion]> {
  fileprivate static var csounds: ValueReader {
    one("6, 7 or both") { ["6": [.six], "7": [.seven], "both": CsoundVersion.allCases][$0] }
  }
}

extension Arguments {
  /// The Csounds to build for: those that are asked for, or else that of the headers given, or else
  /// `standard`, which is the installed one unless given.
  package func csounds(
    standard: [CsoundVersion]? = nil
  ) throws(Failure) -> [CsoundVersion] {
    guard let chosen = self[.csound] else {
      if let directory = self[.csoundInclude] { return [try .ofHeaders(in: directory)] }
      if let standard { return standard }
      return [try .installed()]
    }
    guard self[.csoundInclude] == nil || chosen.count == 1 else {
      throw Failure(
        .usage, "--csound-include has the headers of one Csound; say which with --csound 6 or 7.")
    }
    return chosen
  }
}
