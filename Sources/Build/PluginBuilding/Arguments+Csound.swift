import CommandKit
import HarnessBase
import Rendering

extension CommandOption where Self == Option<[CsoundVersion]?> {
  /// The Csound to build for; read with `csounds`.
  package static var csound: Self {
    Option(
      name: "csound", value: "6|7|both", takes: .csounds,
      help:
        "Build for this Csound, as build/libNAME-csound7.so for 7; the installed one unless given."
    )
  }
  /// The Csound whose plugin is installed or removed; read with `csounds`, too.
  package static var installedCsound: Self {
    Option(
      name: "csound", value: "6|7|both", takes: .csounds,
      help: "The plugin for this Csound, or for both; for the installed one unless given.")
  }
}

extension CommandOption where Self == Option<String?> {
  package static var csoundInclude: Self {
    Option(
      name: "csound-include", value: "DIR",
      help: "Directory with csound/csdl.h; the installed Csound's or, for 7, PyPI's unless given.")
  }
}

extension ValueReader<[CsoundVersion]> {
  fileprivate static var csounds: ValueReader {
    one("6, 7 or both") { ["6": [.six], "7": [.seven], "both": CsoundVersion.allCases][$0] }
  }
}

extension Arguments {
  /// The Csounds to build for: those of `--csound`, or else that of the headers of
  /// `--csound-include`, or else `standard`, by default the installed one.
  package func csounds(
    standard: [CsoundVersion]? = nil
  ) throws(Failure) -> [CsoundVersion] {
    guard let chosen = self[.csound] else {
      if let directory = self[.csoundInclude] { return [try CsoundHeaders.csound(in: directory)] }
      if let standard { return standard }
      return [try .installed()]
    }
    guard self[.csoundInclude] == nil || chosen.count == 1 else {
      throw .usage(
        "--csound-include has the headers of one Csound; say which with --csound 6 or 7.")
    }
    return chosen
  }
}
