import CsoundLive
import Foundation
package import HarnessBase
import Playing
import Synchronization

/// Measures how fast a panel answers its clients, and how much the audio thread has to compute meanwhile. While a piece
/// plays, each client moves a slider of its own at a fixed rate.
package enum ClientTrial {
  /// The results of one trial.
  package struct Row: Sendable {
    package var clients: Int
    /// Answered messages a second, all clients together.
    package var rate: Double
    /// Milliseconds from sending a message to its answer.
    package var answered: Spread
    /// Milliseconds from sending a message until the piece's channel has its value.
    package var arrived: Spread
    /// The longest time that computing a period took, as a fraction of the period's duration.
    package var load: Double
    /// How many times the load, read every 2 ms, was above 1.
    package var late: Int
  }

  /// Runs a trial for this many seconds, in which all clients together send `rate` messages a second.
  package static func run(clients: Int, rate: Double, seconds: Double) throws(Failure) -> Row {
    let piece = try TrialPiece(sliders: clients, greatest: 1_000_000)
    defer { piece.end() }
    return try measure(
      piece, clients: clients, interval: Double(clients) / rate, seconds: seconds)
  }

  private static func measure(
    _ piece: TrialPiece, clients: Int, interval: Double, seconds: Double
  ) throws(Failure) -> Row {
    let results = Results()
    let (performance, channels) = (piece.performance, piece.channels)
    let port = piece.server.port
    var sockets: [RawClient] = []
    for _ in 0..<clients { sockets.append(try RawClient(panel: port)) }
    for socket in sockets { socket.answersPings = true }
    // Reading the status resets the highest load, so that of starting the clients is not counted.
    usleep(200_000)
    _ = performance.status
    let end = ContinuousClock.now + .seconds(seconds)
    let group = DispatchGroup()
    for (number, socket) in sockets.enumerated() {
      group.enter()
      nonisolated(unsafe) let socket = socket
      Thread {
        defer { group.leave() }
        do throws(Failure) {
          try play(
            socket, number, interval, until: end, results, number == 0 ? channels : nil)
        } catch { results.put(error) }
      }.start()
    }
    var (load, late) = (0.0, 0)
    while ContinuousClock.now < end {
      if let status = performance.status {
        load = max(load, status.load)
        if status.load > 1 { late += 1 }
      }
      usleep(2000)
    }
    group.wait()
    let (answers, arrivals) = try results.all()
    return Row(
      clients: clients, rate: Double(answers.count) / seconds,
      answered: Spread(answers),
      arrived: Spread(arrivals), load: load, late: late)
  }

  private static let lost = Failure(.internalFault, "A client of the trial lost its connection.")

  /// Runs one client. The first one, which is given `channels`, also measures when its value reaches the channel.
  private static func play(
    _ socket: RawClient, _ number: Int, _ interval: Double, until end: ContinuousClock.Instant,
    _ results: Results, _ channels: PerformancePort?
  ) throws(Failure) {
    // The clients start at different times within an interval.
    var next = ContinuousClock.now + .seconds(interval * Double(number % 61) / 61)
    var count = 0
    while next < end {
      usleep(UInt32(max(0, ContinuousClock.now.duration(to: next) / .microseconds(1))))
      count += 1
      let begin = ContinuousClock.now
      socket.say(
        "{\"type\":\"set\",\"channel\":\"s\(number)\",\"value\":\(count),\"id\":\(count)}")
      guard socket.message("done", where: { $0["id"] as? Int == count }) != nil else { throw lost }
      results.put(answer: begin.duration(to: .now) / .milliseconds(1))
      // Only about every 50 ms, as this client's next message has to wait until the value has arrived.
      if let channels, count % max(1, Int(0.05 / interval)) == 0 {
        while try channels.value(of: "s0") != Double(count), ContinuousClock.now < end {
          usleep(20)
        }
        results.put(arrival: begin.duration(to: .now) / .milliseconds(1))
      }
      next = max(next + .seconds(interval), .now)
    }
  }

  private final class Results: Sendable {
    private let state = Mutex<(answers: [Double], arrivals: [Double], failure: Failure?)>(
      ([], [], nil))

    func put(answer: Double) { state.withLock { $0.answers.append(answer) } }
    func put(arrival: Double) { state.withLock { $0.arrivals.append(arrival) } }
    func put(_ failure: Failure) { state.withLock { $0.failure = failure } }

    func all() throws(Failure) -> (answers: [Double], arrivals: [Double]) {
      let (answers, arrivals, failure) = state.withLock { $0 }
      if let failure { throw failure }
      return (answers, arrivals)
    }
  }
}
