import Foundation
package import HarnessBase
import Synchronization

/// Measures how soon a piece follows a pointer that drags a slider of its panel in a browser.
package enum PointerTrial {
  /// The results of one trial.
  package struct Row: Sendable {
    /// Milliseconds from a movement of the pointer to the server's answer that the piece has been given the value.
    package var answered: Spread
    /// Milliseconds from a movement of the pointer until the piece's channel has the value.
    package var arrived: Spread
  }

  /// Whether a browser is installed.
  package static var isPossible: Bool { Browser.path != nil }

  /// Moves the pointer this many times, about every 50 ms. Throws if no browser is installed.
  package static func run(moves: Int) throws(Failure) -> Row {
    let piece = try TrialPiece(sliders: 1, greatest: 1)
    defer { piece.end() }
    let page = try BrowserPage(piece.server.url)
    try page.evaluate(
      """
      const moves = [];
      let last = 0;
      addEventListener('pointermove', event => {
        const value = panelConnection.value('s0');
        if (value === last) return;
        last = value;
        const moved = event.timeStamp;
        panelConnection.answered().then(answered => moves.push([value, performance.timeOrigin + moved, answered - moved]));
      });
      """)
    let watch = Watch(piece)
    let track = "[data-id] .track"
    try page.mouse("mousePressed", try page.place(track, 0.1))
    for move in 0..<moves + 10 {
      usleep(UInt32.random(in: 40_000...60_000))
      // Back and forth, never twice in a row to the same position.
      let part = Double(move % 40) / 40
      let position = move / 40 % 2 == 0 ? part : 1 - part
      try page.mouse("mouseMoved", try page.place(track, 0.1 + 0.8 * position))
    }
    try page.mouse("mouseReleased", try page.place(track, 0.1))
    usleep(100_000)
    let arrivals = watch.end()
    // The first ten only warm the page up.
    guard let told = (try page.evaluate("moves") as? [[Double]])?.dropFirst(10), !told.isEmpty
    else {
      throw Failure(.internalFault, "The browser's slider did not move.")
    }
    return Row(
      answered: Spread(told.map { $0[2] }),
      arrived: Spread(
        told.compactMap { move in
          // The browser has the same clock, but rounds it. A value has no arrival if the next one replaced it at once.
          arrivals.first { abs($0.value - move[0]) < 1e-9 && abs($0.time - move[1]) < 500 }
            .map { $0.time - move[1] }
        }))
  }

  /// Records when each value arrives in the channel, in milliseconds since 1970 as in the browser.
  private final class Watch: Sendable {
    private let isOver = Atomic(false)
    private let seen = Mutex<[(value: Double, time: Double)]>([])
    private let ended = DispatchSemaphore(value: 0)

    init(_ piece: TrialPiece) {
      let channels = piece.channels
      Thread { [self] in
        var last = 0.0
        while !isOver.load(ordering: .relaxed) {
          if let value = try? channels.value(of: "s0"), value != last {
            last = value
            let now = Date().timeIntervalSince1970 * 1000
            seen.withLock { $0.append((value, now)) }
          }
          usleep(50)
        }
        ended.signal()
      }.start()
    }

    func end() -> [(value: Double, time: Double)] {
      isOver.store(true, ordering: .relaxed)
      ended.wait()
      return seen.withLock { $0 }
    }
  }
}
