import CLandlock
import Foundation
import HarnessBase
import Synchronization

/// Confines the process that plays a piece: it can read only the piece's files and the system's, write
/// to one directory only, and cannot start programs, use the network or send signals to other processes.
///
/// Other people's pieces can contain code that does any of these: opcodes such as `system_i`, or a
/// plugin that their options name.
public struct Confinement: Sendable {
  /// The only directory that may be written.
  var scratch: String
  /// Files and directories that may be read, in addition to Csound's and the system's.
  var readable: [String]

  /// A sentence that says what pieces can do here because the kernel lacks a guard; nil if it has all
  /// guards.
  public static var missingGuards: String? {
    missingGuards(landlock: landlock_version() > 0, seccomp: SystemCallFilter.isThere)
  }

  package static func missingGuards(landlock: Bool, seccomp: Bool) -> String? {
    var missing: [String] = []
    if !landlock {
      missing.append("Landlock, as Linux has from 5.13 on: pieces can read and write any file")
    }
    if !seccomp {
      missing.append("seccomp: pieces can start programs, use the network and stop other programs")
    }
    return missing.isEmpty
      ? nil : "This kernel lacks " + missing.joined(separator: "; and ") + "."
  }

  /// Confines this process for the rest of its life, as far as the kernel can.
  func enter() throws(Failure) {
    Self.limitResources()
    if landlock_version() > 0, !restrictFiles() {
      throw .unavailable(
        "A piece cannot be kept from files that are not its own: \(String(cString: strerror(errno)))."
      )
    }
    if SystemCallFilter.isThere, !SystemCallFilter.install() {
      throw .unavailable("A piece cannot be kept from starting programs and from the network.")
    }
  }

  private func restrictFiles() -> Bool {
    guard let rules else { return false }
    defer { close(rules) }
    return landlock_restrict_process(rules) == 0
  }

  /// A file descriptor for the rules about files; nil if there can be none.
  private var rules: Int32? {
    let rules = landlock_rules()
    guard rules >= 0 else { return nil }
    guard landlock_allow_changing(rules, scratch) == 0 else {
      close(rules)
      return nil
    }
    // Paths that do not exist need no rule.
    for path in readable + SystemFiles.readable { _ = landlock_allow_reading(rules, path, 1) }
    for path in SystemFiles.devices { _ = landlock_allow_device(rules, path) }
    return rules
  }

  /// What starts a program such that it is confined as to files, and starts no programs itself; it may use the network.
  func starter(of program: String) -> ChildProcess.Starter {
    guard landlock_version() > 0 else { return { $0() } }
    return { start in
      guard let rules = self.rules else { return EACCES }
      defer { close(rules) }
      for path in [program, "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"] {
        _ = landlock_allow_executing(rules, path)
      }
      // A new thread has the rights of the one that makes it, and gives up some of them for itself and the program.
      nonisolated(unsafe) let start = start
      let status = Mutex<Int32>(EACCES)
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        if landlock_restrict_thread(rules) == 0 { status.withLock { $0 = start() } }
        isDone.signal()
      }
      isDone.wait()
      return status.withLock(\.self)
    }
  }

  /// The size of the largest file that a piece may write, in megabytes.
  private static let largestFile = 1024
  /// The most memory that a piece may use, in bytes.
  private static let mostMemory: rlim_t = 4 << 30

  private static func limitResources() {
    FileLimit.set(largestFile, forGood: true)
    FileLimit.set(RLIMIT_CORE, 0)
    // Sanitizers reserve far more memory than that.
    if dlsym(nil, "__asan_init") == nil, dlsym(nil, "__tsan_init") == nil {
      FileLimit.set(RLIMIT_DATA, mostMemory)
    }
  }
}
