import Foundation
import HarnessBase
import Synchronization

/// A headless Chromium, talked to through its debugging pipe: JSON messages ended by a zero.
///
/// One for all tests of this program; each call is waited for by one thread at a time.
final class Browser: @unchecked Sendable {
  static let path = installedProgram("chromium-headless-shell")
  static let reason = "chromium-headless-shell is not installed; panels were tried in no browser."

  /// Started by the first test that needs it.
  static let shared: Browser = {
    let browser = try! Browser()
    atexit { Browser.shared.stop() }
    return browser
  }()

  struct Problem: Error, CustomStringConvertible { let description: String }
  typealias Object = [String: Any]

  private let commands: Int32
  private let answers: Int32
  private let process: pid_t
  private let profile: ScratchDirectory
  private let lock = NSLock()
  private var buffer: [UInt8] = []
  private var number = 0
  /// What the browser has said of its own accord.
  private var events: [(session: String?, method: String, parameters: Object)] = []

  func events(of session: String) -> [(method: String, parameters: Object)] {
    lock.withLock { events.filter { $0.session == session }.map { ($0.method, $0.parameters) } }
  }

  private init() throws {
    profile = try ScratchDirectory("browser")
    func pipe() -> (read: Int32, write: Int32) {
      var ends: [Int32] = [0, 0]
      _ = Glibc.pipe(&ends)
      // Out of the way of 3 and 4, which the browser is given.
      let high = ends.map { end in
        defer { close(end) }
        return fcntl(end, F_DUPFD_CLOEXEC, 64)
      }
      return (high[0], high[1])
    }
    let (input, output) = (pipe(), pipe())
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&files, input.read, 3)
    posix_spawn_file_actions_adddup2(&files, output.write, 4)
    let arguments = [
      Self.path!, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
      "--user-data-dir=\(profile.path)",
    ]
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    let status = posix_spawn(&process, Self.path!, &files, nil, words, environ)
    posix_spawn_file_actions_destroy(&files)
    close(input.read)
    close(output.write)
    (commands, answers, self.process) = (input.write, output.read, process)
    guard status == 0 else { throw Problem(description: "the browser does not start") }
  }

  private func stop() {
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    profile.remove()
  }

  /// Asks for something of the browser, or of a page's session, and waits for the answer.
  @discardableResult
  func call(_ method: String, _ parameters: Object = [:], session: String? = nil) throws -> Object {
    lock.lock()
    defer { lock.unlock() }
    number += 1
    var message: Object = ["id": number, "method": method, "params": parameters]
    message["sessionId"] = session
    let bytes = [UInt8](try JSONSerialization.data(withJSONObject: message)) + [0]
    guard write(commands, bytes, bytes.count) == bytes.count else {
      throw Problem(description: "the browser has gone")
    }
    while true {
      let answer = try next()
      guard answer["id"] as? Int == number else {
        if let method = answer["method"] as? String {
          events.append(
            (answer["sessionId"] as? String, method, answer["params"] as? Object ?? [:]))
        }
        continue
      }
      if let error = answer["error"] { throw Problem(description: "\(method): \(error)") }
      return answer["result"] as? Object ?? [:]
    }
  }

  private func next() throws -> Object {
    var end = buffer.firstIndex(of: 0)
    while end == nil {
      var poller = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, 20_000) > 0 else {
        throw Problem(description: "the browser does not answer")
      }
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(answers, &piece, piece.count)
      guard count > 0 else { throw Problem(description: "the browser has gone") }
      let searched = buffer.count
      buffer += piece[..<count]
      end = buffer[searched...].firstIndex(of: 0)
    }
    defer { buffer.removeSubrange(...end!) }
    return try JSONSerialization.jsonObject(with: Data(buffer[..<end!])) as? Object ?? [:]
  }
}
