import CProcess
public import CsoundHost
import Foundation
import HarnessBase
import Rendering
import Sounds

/// The child's side: does one job after the other, in a process whose crash costs only its job.
///
/// Jobs come as lines of JSON on standard input, reports go as lines of JSON to what was standard
/// output. Csound and its plugins print there too, and an orchestra may read events from standard
/// input, so the worker points all three elsewhere first.
public struct Worker {
  private let renderer: Renderer
  private let linter: Linter
  private let validation: ValidationWorker

  /// Serves until standard input ends, then ends the process.
  public static func serve(registering register: @escaping Csound.Registration) -> Never {
    // What an orchestra starts does not get these two.
    let connection = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    let reports = FileHandle(fileDescriptor: connection)
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    let jobs = fdopen(input, "r")
    let nowhere = open("/dev/null", O_RDWR)
    dup2(nowhere, STDIN_FILENO)
    dup2(nowhere, STDOUT_FILENO)
    dup2(nowhere, STDERR_FILENO)
    endWithParent(input)
    // A sanitizer has handlers of its own, and more to say.
    if dlsym(nil, "__asan_init") == nil, dlsym(nil, "__tsan_init") == nil {
      crash_report_to(connection)
    }
    let renderer = Renderer(registering: register) { send(.progress($0), to: reports) }
    let linter = Linter(registering: register) { send(.progress(0), to: reports) }
    let validation = ValidationWorker(renderer: renderer) { send(.progress($0), to: reports) }
    let worker = Worker(renderer: renderer, linter: linter, validation: validation)
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    while getline(&line, &capacity, jobs) > 0, let line {
      send(worker.perform(String(cString: line)), to: reports)
    }
    // Without the clean-up code of plugins, which could hang or crash and has nothing to save.
    _exit(0)
  }

  private static func send(_ report: Report, to reports: FileHandle) {
    guard let data = try? JSONCoding.encode(report) else { return }
    try? reports.write(contentsOf: data + Data("\n".utf8))
  }

  /// Ends this process when nobody waits for it any more, whatever it is busy with.
  private static func endWithParent(_ jobs: Int32) {
    Thread.detachNewThread {
      // Nothing to wait for but the other end's being closed, which cannot be left out.
      var poller = pollfd(fd: jobs, events: 0, revents: 0)
      while poll(&poller, 1, -1) < 1 {}
      // Together with what an orchestra has started.
      if getpgrp() == getpid() { kill(0, SIGKILL) }
      _exit(0)
    }
  }

  private func perform(_ line: String) -> Report {
    do throws(Failure) {
      guard let job = try? JSONCoding.decode(Job.self, from: Data(line.utf8)) else {
        throw Failure(.internalFault, "A worker was sent a job it does not understand.")
      }
      return switch job {
      case .compile(let orchestra): .compiled(try compile(orchestra))
      case .compare(let job): .compared(try compare(job))
      case .benchmark(let job): .measured(try measure(job))
      case .count(let job, let directory):
        .counted(try InstructionCounter(renderer: renderer, directory: directory).count(job))
      case .render(let job): .rendered(try render(job))
      case .lint(let job): .linted(try linter.lint(job))
      case .builtins: .linted(try BuiltinOpcodes.report())
      case .explore(let job): .explored(validation.explore(job))
      case .validate(let job): .validated(validation.examine(job))
      case .profile(let job): .profiled(try Tracer(renderer: renderer).render(job))
      case .profileCounts(let job):
        .profiled(try Tracer(renderer: renderer, counter: CallCounter()).render(job))
      case .profileFunctions(let job):
        .profiled(try Tracer(renderer: renderer, listsFunctions: true).render(job))
      case .record(let job): .recorded(try golden(job.orchestra, renderer.record, job))
      case .check(let job): .checked(try golden(job.orchestra, renderer.check, job))
      case .portray(let job): .portrayed(try PortraitPainter(renderer: renderer).portray(job))
      }
    } catch {
      return .failed(error)
    }
  }

  /// Does a job in the directory of its orchestra, so that it finds its files wherever it is run
  /// from.
  private func golden<Work, Result>(
    _ orchestra: Orchestra, _ perform: (Work) throws(Failure) -> Result, _ work: Work
  ) throws(Failure) -> Result {
    try requireReadableFile(orchestra.path)
    let directory = (orchestra.path as NSString).deletingLastPathComponent
    guard FileManager.default.changeCurrentDirectoryPath(directory) else {
      throw Failure(.missingInput, "The directory of '\(orchestra.path)' cannot be entered.")
    }
    return try perform(work)
  }

  private func compile(_ orchestra: Orchestra) throws(Failure) -> Bool {
    do throws(Failure) {
      _ = try renderer.start(orchestra)
      return true
    } catch {
      guard error.kind == .badInput else { throw error }
      return false
    }
  }

  private func compare(_ job: CompareJob) throws(Failure) -> Comparison {
    var input: Sound?
    if let path = job.input { input = try Sound(readingFrom: path) }
    let limit = max(600, 2 * (input?.duration ?? 0))
    let subject = try renderer.render(job.subject, input: input, limit: limit)
    let rival = try renderer.render(job.rival, input: input, limit: limit)
    FloatMode.current = .precise
    let comparison = Comparison(subject: subject, rival: rival, tolerance: job.tolerance)
    if comparison.verdict != .passed { try job.evidence.write(subject: subject, rival: rival) }
    return comparison
  }

  private func measure(_ job: BenchmarkJob) throws(Failure) -> Measurement {
    var benchmark = Benchmark()
    benchmark.seed = job.seed
    benchmark.extraWork = job.extraWork
    benchmark.spend(job.effort)
    return try benchmark.measure(
      subject: job.subject, rival: job.rival, empty: job.empty,
      unitsPerCycle: job.unitsPerCycle, cyclesPerPeriod: job.cyclesPerPeriod, with: renderer)
  }

  private func render(_ job: RenderJob) throws(Failure) -> Renderer.Summary {
    try renderer.render(
      job.orchestra, to: job.path, temporaryPath: job.temporaryPath, limit: job.limit)
  }
}

extension Evidence {
  /// Writes the two sounds and, when their shapes agree, subject minus rival.
  func write(subject: Sound, rival: Sound) throws(Failure) {
    let directory = (self.subject as NSString).deletingLastPathComponent
    try? FileManager.default.removeItem(atPath: directory)
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw Failure(.unwritableOutput, "The directory '\(directory)' cannot be made.")
    }
    try subject.write(to: self.subject)
    try rival.write(to: self.rival)
    guard subject.samples.count == rival.samples.count else { return }
    var difference = subject
    for index in difference.samples.indices { difference.samples[index] -= rival.samples[index] }
    try difference.write(to: self.difference)
  }
}

/// JSON as workers and their parent exchange it, infinities included.
enum JSONCoding {
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try encoder.encode(value)
  }

  static func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(type, from: data)
  }
}
