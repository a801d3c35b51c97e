import Foundation

extension ChildProcess {
  /// What a program that has ended printed.
  package struct Finished {
    package var ending: Ending
    package var output = ""
    package var errors = ""

    package var isGood: Bool { ending == .exited(code: 0) }
  }

  /// Runs a program to its end, without input. Fails when it cannot be started, or when the run is
  /// interrupted meanwhile.
  ///
  /// With `showsErrors` its standard error is ours.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil,
    directory: String? = nil, showsErrors: Bool = false
  ) throws(Failure) -> Finished {
    let (output, errors) = (try UnnamedFile(), try UnnamedFile())
    let process = try ChildProcess(
      program, arguments, environment: environment, directory: directory,
      output: output.descriptor, errors: showsErrors ? STDERR_FILENO : errors.descriptor)
    let ending = process.wait()
    try Interruption.check()
    return Finished(ending: ending, output: output.text, errors: errors.text)
  }
}

/// A file for what a program prints, which goes when it is closed. A pipe would have to be read while
/// the program runs, and another as well.
private final class UnnamedFile {
  let descriptor: Int32

  init() throws(Failure) {
    let directory = NSTemporaryDirectory()
    var name = Array("\(directory)/opcodekit-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    guard descriptor >= 0 else {
      throw Failure(.unwritableOutput, "No file can be made in '\(directory)'.")
    }
    unlink(name)
  }

  deinit { close(descriptor) }

  var text: String {
    lseek(descriptor, 0, SEEK_SET)
    let data = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readDataToEndOfFile()
    return String(decoding: data, as: UTF8.self)
  }
}
