import Foundation
import HarnessBase

/// A headless Chromium, controlled through its debugging pipe by JSON messages that end with a zero byte.
///
/// This program has one, `shared`. Calls from several threads run one after another.
public final class Browser: @unchecked Sendable {
  /// The browser's path; nil if it is not installed.
  public static let path = installedProgram("chromium-headless-shell")

  /// Starts at the first use and ends with the program.
  static let shared: Result<Browser, Failure> = {
    do throws(Failure) {
      let browser = try Browser()
      atexit { try? Browser.shared.get().stop() }
      return .success(browser)
    } catch { return .failure(error) }
  }()

  typealias Object = [String: Any]

  private let commands: Int32
  private let answers: Int32
  private let process: pid_t
  private let profile: ScratchDirectory
  private let lock = NSLock()
  private var buffer: [UInt8] = []
  private var number = 0
  /// The events that the browser has sent, oldest first.
  private var events: [(session: String?, method: String, parameters: Object)] = []

  func events(of session: String) -> [(method: String, parameters: Object)] {
    lock.withLock { events.filter { $0.session == session }.map { ($0.method, $0.parameters) } }
  }

  private init() throws(Failure) {
    guard let path = Self.path else {
      throw .unavailable(
        "chromium-headless-shell is missing; its Debian package has the same name.")
    }
    profile = try ScratchDirectory("browser")
    func pipe() -> (read: Int32, write: Int32) {
      var ends: [Int32] = [0, 0]
      _ = Glibc.pipe(&ends)
      // Numbers from 64 on, as the browser's own ends become descriptors 3 and 4.
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
      path, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
      "--user-data-dir=\(profile.path)",
    ]
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    let status = posix_spawn(&process, path, &files, nil, words, environ)
    posix_spawn_file_actions_destroy(&files)
    close(input.read)
    close(output.write)
    (commands, answers, self.process) = (input.write, output.read, process)
    guard status == 0 else { throw Self.problem("The browser does not start.") }
  }

  private func stop() {
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    profile.remove()
  }

  /// Sends a command to the browser, or to the page of `session`, and returns its result. Throws if the browser
  /// reports an error or sends nothing for 20 seconds.
  @discardableResult
  func call(_ method: String, _ parameters: Object = [:], session: String? = nil) throws(Failure)
    -> Object
  {
    lock.lock()
    defer { lock.unlock() }
    number += 1
    var message: Object = ["id": number, "method": method, "params": parameters]
    message["sessionId"] = session
    let bytes = [UInt8](Self.json(message)) + [0]
    guard write(commands, bytes, bytes.count) == bytes.count else {
      throw Self.problem("The browser has gone.")
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
      if let error = answer["error"] {
        throw Self.problem("The browser did not do \(method): \(error).")
      }
      return answer["result"] as? Object ?? [:]
    }
  }

  private static func json(_ message: Object) -> Data {
    // Cannot fail: every message is built in this module from JSON types.
    try! JSONSerialization.data(withJSONObject: message)
  }

  static func problem(_ text: String) -> Failure { Failure(.internalFault, text) }

  private func next() throws(Failure) -> Object {
    var end = buffer.firstIndex(of: 0)
    while end == nil {
      var poller = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, 20_000) > 0 else { throw Self.problem("The browser does not answer.") }
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(answers, &piece, piece.count)
      guard count > 0 else { throw Self.problem("The browser has gone.") }
      let searched = buffer.count
      buffer += piece[..<count]
      end = buffer[searched...].firstIndex(of: 0)
    }
    defer { buffer.removeSubrange(...end!) }
    return (try? JSONSerialization.jsonObject(with: Data(buffer[..<end!]))) as? Object ?? [:]
  }
}
