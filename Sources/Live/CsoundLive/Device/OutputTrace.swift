import Synchronization

/// The last samples of the output, for drawing. The audio thread writes and any thread reads without waiting, so a
/// reading may contain a few samples of the next period.
struct OutputTrace: ~Copyable {
  static let length = 4096
  /// A circular buffer of `length` samples.
  private let samples: UnsafeMutablePointer<Atomic<Double>>
  private let written = Atomic<Int>(0)
  /// Set by the first reading; before that nothing is stored.
  private let isWanted = Atomic<Bool>(false)

  init() {
    samples = .allocate(capacity: Self.length)
    for index in 0..<Self.length { (samples + index).initialize(to: Atomic(0)) }
  }

  deinit {
    samples.deinitialize(count: Self.length)
    samples.deallocate()
  }

  /// Stores a period: for each frame the mean of its channels.
  @inline(__always) borrowing func take(
    _ mix: UnsafeMutablePointer<Double>, _ frames: Int, _ channels: Int
  ) {
    guard isWanted.load(ordering: .relaxed) else { return }
    let part = 1 / Double(channels)
    var place = written.load(ordering: .relaxed)
    for frame in 0..<frames {
      var sum = 0.0
      for channel in 0..<channels { sum += mix[frame &* channels &+ channel] }
      (samples + (place & (Self.length - 1))).pointee.store(sum * part, ordering: .relaxed)
      place &+= 1
    }
    written.store(place, ordering: .releasing)
  }

  /// The last `count` samples, at most `length`, oldest first; fewer if fewer were stored.
  func last(_ count: Int) -> [Double] {
    isWanted.store(true, ordering: .relaxed)
    let end = written.load(ordering: .acquiring)
    return (max(0, end - min(count, Self.length))..<end).map {
      (samples + ($0 & (Self.length - 1))).pointee.load(ordering: .relaxed)
    }
  }
}
