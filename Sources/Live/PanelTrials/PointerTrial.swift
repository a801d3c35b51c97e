import Foundation
package import HarnessBase
import Synchronization

/// How soon a piece follows a hand: a pointer that drags a slider of its panel in a browser.
package enum PointerTrial {
  /// What a trial has shown.
  package struct Row: Sendable {
    /// From the pointer to the answer that the piece has been given its value.
    package var answered: Spread
    /// From the pointer to its value in the piece's channel after a k-cycle.
    package var arrived: Spread
  }

  /// Whether there is a browser for it.
  package static var isPossible: Bool { Browser.path != nil }

  /// So many moves, one every twentieth of a second or so. Fails where no browser is installed.
  package static func run(moves: Int) throws(Failure) -> Row {
    let piece = try TrialPiece(sliders: 1, greatest: 1)
    defer { piece.end() }
    let page = try BrowserPage(piece.server.url)
    defer { page.close() }
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
      // To and fro, never twice to one place.
      let part = Double(move % 40) / 40
      let position = move / 40 % 2 == 0 ? part : 1 - part
      try page.mouse("mouseMoved", try page.place(track, 0.1 + 0.8 * position))
    }
    try page.mouse("mouseReleased", try page.place(track, 0.1))
    usleep(100_000)
    let arrivals = watch.end()
    // The first ones warm the page up.
    guard let told = (try page.evaluate("moves") as? [[Double]])?.dropFirst(10), !told.isEmpty
    else {
      throw Failure(.internalFault, "The browser's slider did not move.")
    }
    return Row(
      answered: Spread(told.map { $0[2] }),
      arrived: Spread(
        told.compactMap { move in
          // Its clock is the same, read through a rounded one; a value may be overtaken by the next.
          arrivals.first { abs($0.value - move[0]) < 1e-9 && abs($0.time - move[1]) < 500 }
            .map { $0.time - move[1] }
        }))
  }

  /// Looks when each value comes into the channel, in milliseconds since 1970 as the browser counts.
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
