import HarnessBase
import Rendering

// The options that several commands have.

extension CommandOption where Self == Option<[Int]?> {
  package static var ksmps: Self {
    Option(
      name: "ksmps", value: "LIST", takes: .wholeNumbers(Orchestra.ksmpsRange),
      help: "Only these ksmps, such as 1,64.")
  }
}

extension CommandOption where Self == Option<[String]?> {
  package static var rates: Self {
    Option(
      name: "rates", value: "LIST", takes: .names, help: "Only these rates, such as kk,aa.")
  }
}

extension CommandOption where Self == Option<[Double]?> {
  package static var sampleRate: Self {
    Option(
      name: "sample-rate", value: "LIST", takes: .numbers(Orchestra.sampleRateRange),
      help: "Only these sample rates, such as 44100,96000.")
  }
}

extension CommandOption where Self == Option<[String: String]?> {
  package static var macros: Self {
    Option(
      name: "omacro", value: "NAME=VALUE,…", takes: .macros,
      help: "Set orchestra macros, separated by commas.")
  }
}

extension CommandOption where Self == Option<Double?> {
  package static var duration: Self {
    Option(
      name: "duration", value: "SECONDS", takes: .number(0.001...86_400),
      help: "Stop after this many seconds of sound.")
  }
  package static var oneRate: Self {
    Option(
      name: "sample-rate", value: "HZ", takes: .number(Orchestra.sampleRateRange),
      help: "Render at this sample rate.")
  }
}

extension CommandOption where Self == Option<Int?> {
  package static var oneKsmps: Self {
    Option(
      name: "ksmps", value: "N", takes: .wholeNumber(Orchestra.ksmpsRange),
      help: "Render at this ksmps.")
  }
}

extension CommandOption where Self == Option<Double> {
  /// Seconds without a report after which a worker process is stopped. Read it as `.timeLimit`, whatever the command's
  /// standard value is.
  package static func timeLimit(_ standard: Double) -> Self {
    Option(
      name: "time-limit", value: "SECONDS", takes: .number(0.1...86_400), standard: standard,
      help: "Stop what reports nothing for this many seconds; \(Int(standard)) unless given.")
  }
  package static var timeLimit: Self { .timeLimit(WorkerPool.defaultTimeLimit) }
}

extension CommandOption where Self == Option<Processor> {
  package static var arch: Self {
    Option(
      name: "arch", value: "PROCESSOR", takes: .processor, standard: .own,
      help:
        "Play on this kind of processor, \(Processor.names); emulated if this machine's is another."
    )
  }
}

extension ValueReader<OperatingSystem> {
  package static var system: ValueReader {
    one(OperatingSystem.names, OperatingSystem.init(rawValue:))
  }
}

extension ValueReader<Processor> {
  package static var processor: ValueReader { one(Processor.names, Processor.init(rawValue:)) }
}

/// The Csound that `--csound` names.
package struct ChosenCsound: Sendable {
  /// The version that its plugins are built for.
  package let version: CsoundVersion
  /// Nil for the Csound that the tool is linked with, and for the release that PyPI has.
  package let library: CsoundLibrary?

  static let tools = ChosenCsound(version: .tools, library: nil)
}

extension CommandOption where Self == Option<ChosenCsound> {
  package static var playedCsound: Self {
    Option(
      name: "csound", value: "6|7|DIR|FILE", takes: .csound, standard: .tools,
      help:
        "Play with this Csound: 7 is the release that PyPI has, in a process of its own; DIR has a Csound, installed or built; FILE is its library."
    )
  }
  /// For commands that a tool built for the other Csound can do.
  package static var toolCsound: Self {
    Option(
      name: "csound", value: "6|7|DIR|FILE", takes: .csound, standard: .tools,
      help:
        "Run in this Csound: 7 is the release that PyPI has, with a tool built for it; DIR has a Csound, installed or built; FILE is its library."
    )
  }
}

extension ValueReader<ChosenCsound> {
  fileprivate static var csound: ValueReader {
    ValueReader { text, _ throws(Failure) in
      if let version = Int(text).flatMap(CsoundVersion.init) {
        return ChosenCsound(version: version, library: nil)
      }
      let library = try CsoundLibrary(text, kit: Project.kit)
      return ChosenCsound(
        version: library.csound, library: library.isKnownRelease ? nil : library)
    }
  }
}

extension CommandOption where Self == Option<String?> {
  package static var json: Self {
    Option(name: "json", value: "FILE", help: "Also write the results as JSON.")
  }
  package static var junit: Self {
    Option(name: "junit", value: "FILE", help: "Also write the results as JUnit XML.")
  }
  package static var markdown: Self {
    Option(name: "markdown", value: "FILE", help: "Also write a summary for a CI job's page.")
  }
  package static var arguments: Self {
    Option(
      name: "arguments", value: "FILE",
      help: "File about arguments; PLUGIN.arguments.json beside the plugin unless given.")
  }
  package static var sources: Self {
    Option(
      name: "sources", value: "DIR",
      help: "Read the Swift files below this directory instead of the kit's or the package's.")
  }
  package static var plugin: Self {
    Option(
      name: "plugin", value: "FILE",
      help: "Take the opcodes from this plugin instead of the kit's or the package's.")
  }
}
