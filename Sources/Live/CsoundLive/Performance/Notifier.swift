import Dispatch
import Synchronization

/// Calls a listener with one notice at a time, in order.
///
/// No part of a performance waits for the listener, so the listener may call every function of a performance and may
/// take long.
final class Notifier: Sendable {
  typealias Listener = @Sendable (Notice) -> Void

  /// The most messages that may wait for a busy listener; further ones are dropped.
  static let messageLimit = 10_000

  private let listener: Listener
  private let queue = DispatchQueue(label: "csound-live-listener")
  /// Messages that wait.
  private let waiting = Atomic<Int>(0)
  /// Messages that were dropped since the listener was last called.
  private let omitted = Atomic<Int>(0)

  private static let mark = DispatchSpecificKey<Bool>()

  init(_ listener: @escaping Listener) {
    self.listener = listener
    queue.setSpecific(key: Self.mark, value: true)
  }

  /// Whether this code runs in a listener: of this performance or of another.
  static var isListening: Bool { DispatchQueue.getSpecific(key: mark) == true }

  /// Queues a notice for the listener; `afterwards` is called when the listener has returned.
  func tell(_ notice: Notice, afterwards: @escaping @Sendable () -> Void = {}) {
    var isMessage = false
    if case .message = notice { isMessage = true }
    if isMessage {
      guard waiting.load(ordering: .relaxed) < Self.messageLimit else {
        omitted.wrappingAdd(1, ordering: .relaxed)
        return
      }
      waiting.wrappingAdd(1, ordering: .relaxed)
    }
    queue.async { [self, isMessage] in
      if isMessage { waiting.wrappingSubtract(1, ordering: .relaxed) }
      tellOmissions()
      listener(notice)
      afterwards()
    }
  }

  private func tellOmissions() {
    let count = omitted.exchange(0, ordering: .relaxed)
    guard count > 0 else { return }
    let text = "\(count) messages of Csound were left out, since the listener was busy.\n"
    listener(.message(CsoundMessage(kind: .warning, text: text)))
  }
}
