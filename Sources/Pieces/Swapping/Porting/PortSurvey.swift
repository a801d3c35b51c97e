import CommandKit
import Foundation
import HarnessBase
import Rendering

/// What stands in the way of ports in all pieces below some folders.
struct PortSurvey {
  private var opcodes: [(opcode: UserOpcode, obstacles: Set<String>)] = []
  private let files: Int
  private var unread = 0

  init(of folders: [String]) throws(Failure) {
    let all = try PieceFiles.all(folders, named: ["csd", "udo"])
    files = all.count
    // The others need no engine.
    let paths = all.filter { path in
      (try? String(contentsOfFile: path, encoding: .isoLatin1))?.contains(/\bopcode\s/) ?? true
    }
    let pool = WorkerPool(Project.worker, pinsPlugins: false, timeLimit: 30)
    let reports = try pool.run(
      paths.map { OpcodesJob(path: $0, entersFolder: true) },
      parallel: ProcessInfo.processInfo.activeProcessorCount)
    for report in reports {
      guard let found = report.reply else {
        unread += 1
        continue
      }
      for one in found where !opcodes.contains(where: { $0.opcode.isSame(as: one) }) {
        let obstacles = Translation.obstacles(to: one, among: found)
        opcodes.append((one, Set(obstacles.map { Self.root($0.what) })))
      }
    }
  }

  /// An obstacle without the opcode that has it.
  private static func root(_ what: String) -> String {
    let own = what.replacing(/( in \w+)+$/, with: "")
    for part in ["an argument of type", "a setksmps of its own", "calls itself", "a jump"]
    where own.contains(part) {
      return own.contains("type 'S'") ? "a text" : part
    }
    return own.hasPrefix("the global variable")
      ? "a global variable" : own.contains("the variable 'S") ? "a text" : own
  }

  /// Opcodes, and the beginnings of names of opcodes with a `*`, that do more than to compute sounds and numbers: they
  /// use channels, events, files, MIDI, texts, other notes, the screen or devices.
  private static let others = """
    active chan* chn* compile* cps*mid cpsmidi* ctrl* date* diskin* directory display dispfft dumpk* event* evalstr
    exitnow faust* ficlose file* fin* FL* flash* fout* fprint* ftaudio ftload* ftsave* getcfg i*instr in in? inch init?
    ins* inv* jack* joy* lua* massign maxalloc midi* mixer* Mixer* monitor mp3* note* nstance nstrnum out* OSC* passign
    pcount pindex pgm* polyaft prealloc print* puts py* read* release remov* rewind* rtclock sched* score* sensekey
    setscore* sfl* sock* soundin* sprintf* strc* strfromurl strget stri* strl* strr* strs* strt* strupper* subinstr*
    system* tempo* timedseq time? timeinst* turno* veloc xtratim xyin za* zi* zk*
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  /// Whether an obstacle is none of signal processing.
  private static func isOther(_ obstacle: String) -> Bool {
    ["a text", "a global variable"].contains(obstacle)
      || others.contains { fnmatch($0, obstacle, 0) == 0 }
  }

  /// The counts, and a table of what is in the way.
  var text: String {
    let pure = opcodes.filter { !$0.obstacles.contains(where: Self.isOther) }
    let able = pure.count { $0.obstacles.isEmpty }
    var counts: [String: (all: Int, alone: Int)] = [:]
    for (_, obstacles) in pure {
      for obstacle in obstacles {
        counts[obstacle, default: (0, 0)].all += 1
        if obstacles.count == 1 { counts[obstacle]!.alone += 1 }
      }
    }
    let rows = counts.sorted { ($1.value.all, $0.key) < ($0.value.all, $1.key) }
      .map { ["\($0.value.all)", "\($0.value.alone)", $0.key] }
    let share = pure.isEmpty ? 0 : Double(able) / Double(pure.count) * 100
    let table = Table(
      rows: [["opcodes", "alone", "in the way"]] + rows, alignment: [.right, .right])
    return (rows.isEmpty ? "" : table.text + "\n\n") + """
      \(files.counted("file")), of which Csound cannot read \(unread); \(opcodes.count) different user-defined opcodes.
      \(pure.count) of them only compute sounds and numbers: no channels, events, files, MIDI, texts or global variables.
      \(able) of these \(pure.count) can be ported, \(share.formatted(0)) %.
      """
  }
}
