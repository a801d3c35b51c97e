import CommandKit
import HarnessBase
import Targets

extension Option {
  /// What `csounds` of the arguments reads.
  package static let csound = Option(
    name: "csound", value: "6|7|both",
    help:
      "Build for this Csound, for 7 build/libNAME-csound7.so; for the installed one unless given.")
  package static let csoundInclude = Option(
    name: "csound-include", value: "DIR",
    help: "Where csound/csdl.h of that Csound is; the installed one's, or for 7 those PyPI has.")
}

extension Option {
  /// What `csounds` of the arguments reads, too.
  static let installedCsound = Option(
    name: "csound", value: "6|7|both",
    help: "For this Csound, or for each; for the installed one unless given.")
}

extension Arguments {
  /// The Csounds to build for: those that are asked for, or else that of the headers given, or else
  /// `standard`, which is the installed one unless given.
  package func csounds(
    standard: [CsoundVersion]? = nil
  ) throws(Failure) -> [CsoundVersion] {
    let chosen: [CsoundVersion]
    switch self[.csound] {
    case "6": chosen = [.six]
    case "7": chosen = [.seven]
    case "both": chosen = CsoundVersion.allCases
    case nil:
      if let directory = self[.csoundInclude] { return [try .ofHeaders(in: directory)] }
      if let standard { return standard }
      return [try .installed()]
    case let text?:
      throw Failure(.usage, "--csound is '\(text)'; it takes 6, 7 or both.")
    }
    guard self[.csoundInclude] == nil || chosen.count == 1 else {
      throw Failure(
        .usage, "--csound-include has the headers of one Csound; say which with --csound 6 or 7.")
    }
    return chosen
  }
}
