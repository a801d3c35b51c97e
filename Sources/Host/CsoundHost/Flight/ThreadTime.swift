import Foundation

/// What a thread has done up to a time, as the system counts it. Another thread asks.
public struct ThreadTime: Sendable {
  /// Seconds of the monotonic clock; seconds that the thread ran, and that it was ready and others ran in its place.
  public var time, ran, waited: Double
  /// Page faults for which the disk was read.
  public var diskFaults: Int

  public init(time: Double, ran: Double, waited: Double = 0, diskFaults: Int = 0) {
    (self.time, self.ran, self.waited, self.diskFaults) = (time, ran, waited, diskFaults)
  }

  /// The directory of the calling thread in /proc.
  public static var directory: String {
    "/proc/"
      + ((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? "")
  }

  /// Nil if the thread has ended. Without its directory it has no waits and page faults.
  public init?(of thread: pthread_t, _ directory: String) {
    var (clock, now, ran) = (clockid_t(), timespec(), timespec())
    guard pthread_getcpuclockid(thread, &clock) == 0, clock_gettime(clock, &ran) == 0,
      clock_gettime(CLOCK_MONOTONIC, &now) == 0
    else { return nil }
    func seconds(_ time: timespec) -> Double { Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9 }
    func words(_ name: String) -> [Substring] {
      let text = try? String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
      return text?.split(separator: " ") ?? []
    }
    let (schedule, state) = (words("schedstat"), words("stat"))
    self.init(
      time: seconds(now), ran: seconds(ran),
      waited: schedule.count > 1 ? (Double(schedule[1]) ?? 0) * 1e-9 : 0,
      diskFaults: state.count > 11 ? Int(state[11]) ?? 0 : 0)
  }
}
