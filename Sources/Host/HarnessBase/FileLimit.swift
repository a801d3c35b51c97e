import Foundation

/// The size of the largest file that this process, and programs it starts, may write: a write beyond it fails.
public enum FileLimit {
  /// The limit of worker processes unless a command has another, in megabytes of 1,048,576 bytes.
  public static let standard = 4096

  /// Sets the limit, in megabytes. With `forGood` the process cannot raise it again.
  public static func set(_ megabytes: Int, forGood: Bool = false) {
    // With the signal ignored, the write fails instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    set(RLIMIT_FSIZE, rlim_t(megabytes) << 20, forGood: forGood)
  }

  /// Lowers a resource's limit of this process; also raises it again unless it was lowered for good.
  public static func set(_ kind: __rlimit_resource, _ most: rlim_t, forGood: Bool = true) {
    var limit = rlimit()
    let resource = __rlimit_resource_t(kind.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return }
    if forGood { limit.rlim_max = min(limit.rlim_max, most) }
    limit.rlim_cur = min(limit.rlim_max, most)
    setrlimit(resource, &limit)
  }
}
