import Synchronization

/// The engines that an audio thread performs, has performed or is about to.
///
/// `exitnow` and fatal errors leave Csound's performing function by a jump, with Csound's own lock held for the
/// thread that performed: any other would wait for it for ever. Such an engine stays here until that thread ends
/// it.
final class EngineList: Sendable {
  private let engines: Mutex<[LiveEngine]>

  init(_ first: LiveEngine) { engines = Mutex([first]) }

  var all: [LiveEngine] { engines.withLock { $0 } }

  func add(_ engine: LiveEngine) { engines.withLock { $0.append(engine) } }

  func contains(_ engine: LiveEngine) -> Bool {
    engines.withLock { $0.contains { $0 === engine } }
  }

  /// Lets go of an engine that is no longer performed.
  func remove(_ voice: UnsafeMutablePointer<EngineVoice>) {
    // Freed outside the lock, where nobody else has it.
    _ = engines.withLock { engines in
      let place = engines.firstIndex { $0.voice == voice && !$0.isLocked }
      return place.map { engines.remove(at: $0) }
    }
  }

  /// Ends what only this thread can end. [audio thread, after its last period]
  func closeLocked() {
    for engine in all where engine.isLocked { engine.close() }
  }
}
