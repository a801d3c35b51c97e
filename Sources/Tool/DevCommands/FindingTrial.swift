import CommandKit
import CsoundHost
import Foundation
import HarnessBase
import Rendering

/// What was seen when a Csound played an orchestra.
package struct Sight: Codable, Equatable, Sendable {
  package enum Ending: String, Codable, Sendable {
    case played
    /// A note ended with an init error or a performance error.
    case error
    /// The orchestra was not compiled.
    case refused
    /// The orchestra was not compiled, because there is no such opcode.
    case noOpcode = "no such opcode"
    case crash
    /// It was stopped, because it did not come to an end.
    case noEnd = "no end"
  }

  package var ending: Ending
  /// Csound's first error; nil if there was none.
  package var message: String?
  /// The numbers that the orchestra printed, in Csound's words.
  package var printed: [String]

  var numbers: [Double] { printed.map { Double($0) ?? .nan } }

  package init(ending: Ending, message: String? = nil, printed: [String] = []) {
    (self.ending, self.message, self.printed) = (ending, message, printed)
  }

  /// Judges a run of `csound`.
  package init(_ finished: ChildProcess.Finished) {
    let lines = CsoundMessages(finished.output + finished.errors).lines
    printed = lines.flatMap { line -> [String] in
      guard let place = line.firstRange(of: "seen ") else { return [] }
      return line[place.upperBound...].split(separator: " ").map(String.init)
    }
    let errors = lines.compactMap { line in
      line.firstMatch(of: /(?:INIT|PERF) ERROR[^:]*: *(.*)/).map { String($0.1) }
    }
    message = errors.first
    let hasCompiled = !lines.contains {
      $0.contains("cannot compile orchestra") || $0.contains("failed to compile code")
    }
    // Csound 6 catches signals, says which one it was and exits.
    let signal = lines.compactMap { $0.firstMatch(of: /csound command: (.+)/)?.1 }.first
    if let signal {
      // Its clean-up may not end.
      (ending, message) = (.crash, String(signal))
    } else if finished.isOverdue {
      ending = .noEnd
    } else if case .killed(let number) = finished.ending {
      (ending, message) = (.crash, String(cString: strsignal(number)))
    } else if !hasCompiled {
      let isUnknown = lines.contains {
        $0.contains("unable to find opcode with name") || $0.contains("unexpected T_IDENT")
      }
      ending = isUnknown ? .noOpcode : .refused
      message = lines.first { $0.contains("error") }
    } else {
      ending = errors.isEmpty ? .played : .error
    }
  }
}

/// A Csound that plays orchestras of findings.
package struct FindingPlayer: Sendable {
  package let csound: CsoundVersion
  private let words: [String]
  private let environment: [String: String]

  /// The Csounds of this machine, the oldest first: the command `csound`, and Csound 7 of PyPI. `absent` is called with
  /// the reason why one cannot be used.
  package static func all(
    kit: String, absent: (String) -> Void
  ) throws(Failure) -> [FindingPlayer] {
    var players: [FindingPlayer] = []
    let installed: CsoundVersion? = (try? CsoundVersion.installed()) ?? nil
    if let installed, let command = installedProgram("csound") {
      players.append(
        FindingPlayer(
          csound: installed, words: [command],
          environment: [
            "CS_USER_PLUGINDIR": "/nonexistent", "CSOUND6RC": "/dev/null",
            "CSOUND7RC": "/dev/null",
          ]))
    }
    if !players.contains(where: { $0.csound == .seven }) {
      do throws(Failure) {
        let seven = try CsoundLibrary("7", kit: kit)
        players.append(
          FindingPlayer(csound: .seven, words: seven.words, environment: seven.environment))
      } catch {
        guard error.kind == .unavailable else { throw error }
        absent(error.message)
      }
    }
    guard !players.isEmpty else { throw Failure(.unavailable, "There is no Csound to play with.") }
    return players
  }

  /// glibc fills memory with this byte when it is given back, so that reading it afterwards is seen.
  static let memoryFill = "MALLOC_PERTURB_=85"

  /// Plays an orchestra in a process of its own, for at most that many seconds.
  package func play(_ path: String, timeLimit: Double) throws(Failure) -> Sight {
    var environment = ProcessInfo.processInfo.environment.merging(self.environment) { $1 }
    let fill = Self.memoryFill.split(separator: "=").map(String.init)
    environment[fill[0]] = fill[1]
    return Sight(
      try ChildProcess.run(
        words[0], words.dropFirst() + [path], environment: environment, timeLimit: timeLimit))
  }
}

/// What the Csounds do with the orchestra of a finding.
package struct FindingTrial: Codable, Equatable, Sendable {
  /// Whether a Csound has the fault.
  package enum Standing: String, Codable, Sendable {
    case there, changed, fine
    case absent = "no such opcode"
  }

  package struct Result: Codable, Equatable, Sendable {
    package var csound: String
    package var standing: Standing
    package var sight: Sight
  }

  package var name: String
  /// One for each Csound, the oldest first.
  package var results: [Result] = []

  package func standing(_ csound: String) -> Standing? {
    results.first { $0.csound == csound }?.standing
  }

  /// Judges what the Csounds did, the oldest first. A fault has changed where it does not show as the orchestra's
  /// comment says, or breaks other conditions than in an older Csound.
  package init(_ finding: BuiltinFinding, _ sights: [(csound: String, sight: Sight)]) {
    name = finding.name
    var usual: [Int]?
    for (csound, sight) in sights {
      let standing: Standing
      if sight.ending == .noOpcode {
        standing = .absent
      } else if finding.expected.holds(sight) {
        standing = .fine
      } else {
        let symptom: BuiltinFinding.Symptom =
          switch sight.ending {
          case .crash: .crash
          case .noEnd: .noEnd
          default: .wrongValues
          }
        let broken = symptom == .wrongValues ? finding.expected.broken(sight.numbers) : []
        standing = symptom == finding.symptom && broken == usual ?? broken ? .there : .changed
        usual = usual ?? broken
      }
      results.append(Result(csound: csound, standing: standing, sight: sight))
    }
  }
}

/// A run over findings.
package struct FindingRun: Codable, Sendable {
  package var provenance: Provenance
  /// How far the run came, if it was stopped.
  package var partial: PartialRun?
  package var trials: [FindingTrial]

  /// The Csounds that played, the oldest first.
  var csounds: [String] { trials.first?.results.map(\.csound) ?? [] }
}
