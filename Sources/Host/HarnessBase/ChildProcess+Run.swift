import Foundation

extension ChildProcess {
  /// How a program ended, and what it printed to standard output and standard error.
  package struct Finished {
    package var ending: Ending
    package var output = ""
    package var errors = ""
    /// Whether the program was stopped because its time limit was over.
    package var isOverdue = false

    package var isGood: Bool { ending == .exited(code: 0) }

    /// Fails unless it ended well. The message is `sentence` and what the program printed to standard error.
    package func require(_ kind: Failure.Kind, _ sentence: String) throws(Failure) {
      guard !isGood else { return }
      throw Failure(kind, sentence + errors.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  /// Runs a program to its end, without input. Fails when the program cannot be started, or when the
  /// user interrupts the run.
  ///
  /// With `showsErrors` the program writes to this process's standard error. After `timeLimit` seconds, or so
  /// long after the file `writing` last grew, it is stopped.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil,
    directory: String? = nil, showsErrors: Bool = false, timeLimit: Double? = nil,
    writing file: String? = nil, starter: Starter = { $0() }
  ) throws(Failure) -> Finished {
    let (output, errors) = (try UnnamedFile(), try UnnamedFile())
    let process = try ChildProcess(
      program, arguments, environment: environment, directory: directory,
      output: output.descriptor, errors: showsErrors ? STDERR_FILENO : errors.descriptor,
      starter: starter)
    let isOverdue = timeLimit.map { !process.ends(within: $0, writing: file) } ?? false
    let ending = isOverdue ? process.stop() : process.wait()
    try Interruption.check()
    return Finished(
      ending: ending, output: output.text, errors: errors.text, isOverdue: isOverdue)
  }

  /// Waits for the program's end, but not longer than that many seconds, and as many again while the file grows.
  private func ends(within seconds: Double, writing file: String?) -> Bool {
    var (start, size) = (ContinuousClock.now, off_t(0))
    while !hasEnded {
      if start.duration(to: .now) >= .seconds(seconds) {
        var status = stat()
        guard let file, stat(file, &status) == 0, status.st_size > size else { return false }
        (start, size) = (.now, status.st_size)
      }
      usleep(2_000)
    }
    return true
  }
}

/// A temporary file for a program's output; it is deleted when it is closed. Pipes would have to be
/// read while the program runs, two at a time.
private final class UnnamedFile {
  let descriptor: Int32

  init() throws(Failure) {
    let directory = NSTemporaryDirectory()
    var name = Array("\(directory)/opcodekit-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw .unwritableOutput("No file can be made in '\(directory)'.") }
    unlink(name)
  }

  deinit { close(descriptor) }

  var text: String {
    lseek(descriptor, 0, SEEK_SET)
    let data = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readDataToEndOfFile()
    return String(decoding: data, as: UTF8.self)
  }
}
