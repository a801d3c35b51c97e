import Foundation
import HarnessBase
import Rendering
import Sounds

/// Work for a worker process.
public enum Job: Codable, Sendable {
  /// Finds out whether Csound compiles an orchestra.
  case compile(Orchestra)
  case compare(CompareJob)
  case benchmark(BenchmarkJob)
  /// Counts the instructions of what a benchmark would time, under Callgrind, which writes to the
  /// directory.
  case count(BenchmarkJob, directory: String)
  case render(RenderJob)
  case lint(LintJob)
  /// Lists the signatures of Csound's own opcodes.
  case builtins
  case explore(ExploreJob)
  case validate(ValidateJob)
  case profile(ProfileJob)
  /// Counts the instructions of each call, under Callgrind.
  case profileCounts(ProfileJob)
  /// Tells where in memory the functions of opcodes are, for samples of the program counter.
  case profileFunctions(ProfileJob)
  case record(RecordJob)
  case check(CheckJob)
  case portray(PortraitJob)
}

/// Renders a subject and a rival and compares them.
public struct CompareJob: Codable, Sendable {
  public var subject: Orchestra
  public var rival: Orchestra
  /// A sound file for the orchestras' input channels.
  public var input: String?
  /// Largest null depth that passes, dB.
  public var tolerance: Double
  /// Where to write the sounds when they do not pass.
  public var evidence: Evidence
}

/// Three WAV files of 64-bit floats that show a difference.
public struct Evidence: Codable, Equatable, Sendable {
  public var subject: String
  public var rival: String
  public var difference: String

  init(directory: String) {
    subject = directory + "/subject.wav"
    rival = directory + "/rival.wav"
    difference = directory + "/difference.wav"
  }
}

/// Measures a subject's cost against a rival's.
public struct BenchmarkJob: Codable, Sendable {
  public var subject: Orchestra
  public var rival: Orchestra
  public var empty: Orchestra
  public var unitsPerCycle: Double
  /// After how many k-cycles the opcodes' work repeats.
  public var cyclesPerPeriod: Int
  public var seed: UInt64
  /// The fraction of work the subject does beyond what is counted; 0 but where a benchmark is judged.
  public var extraWork = 0.0
  public var effort = Benchmark.Effort.full
}

/// Renders an orchestra to a sound file.
public struct RenderJob: Codable, Sendable {
  public var orchestra: Orchestra
  public var path: String
  /// The file's name until it is finished; whoever outlives the worker removes it.
  public var temporaryPath: String
  public var limit: Double?

  public init(orchestra: Orchestra, path: String, temporaryPath: String, limit: Double?) {
    self.orchestra = orchestra
    self.path = path
    self.temporaryPath = temporaryPath
    self.limit = limit
  }
}

/// What a worker says about its job; all but `progress` end it.
public enum Report: Codable, Sendable {
  /// Seconds of sound rendered so far; says that the worker is alive.
  case progress(Double)
  case compiled(Bool)
  case compared(Comparison)
  case measured(Measurement)
  case counted(InstructionCount)
  case rendered(Renderer.Summary)
  case linted(LintReport)
  case explored(Exploration)
  case validated(CheckReport)
  case profiled(ProfileTake)
  case recorded(RecordedSound)
  case checked(CheckedSound)
  case portrayed(Portrait)
  case failed(Failure)
  /// The worker died of this signal, after these last words if it had any.
  case crashed(signal: Int32, lastWords: LastWords?)
  /// The worker ended itself in the middle of the job.
  case exited(code: Int32)
  /// The worker was stopped after this many seconds without a word.
  case timedOut(seconds: Double)
  /// Never started, because too many jobs before it had timed out.
  case notRun
}

/// What a worker that crashes still says.
public struct LastWords: Codable, Equatable, Sendable {
  /// What Csound did, as the end of "crashed while"; nil where the worker was not inside Csound.
  public var work: String?
  /// The library whose code was executed, if that is known.
  public var library: String?

  /// From the line `crash_report_to` promises.
  init?(_ line: String) {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts[0] == "crash" else { return nil }
    work = parts[1].isEmpty ? nil : parts[1]
    library = parts[2].isEmpty ? nil : URL(fileURLWithPath: parts[2]).lastPathComponent
  }
}

extension Report {
  /// Whether more reports of the same job follow.
  public var isProgress: Bool {
    if case .progress = self { true } else { false }
  }

  // Not inlined: where Swift 6.3.1 inlines them into a loop over rows, it ends a borrow too soon and
  // stops with "Found ownership error".
  @inline(never)
  var measurement: Measurement? {
    if case .measured(let measurement) = self { measurement } else { nil }
  }

  @inline(never)
  var count: InstructionCount? {
    if case .counted(let count) = self { count } else { nil }
  }

  /// Whether the worker that made this report is gone.
  var endedItsWorker: Bool {
    switch self {
    case .crashed, .exited, .timedOut: true
    default: false
    }
  }
}
