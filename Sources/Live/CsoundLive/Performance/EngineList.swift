import Synchronization

/// The engines that an audio thread performs, has performed or is about to perform.
///
/// `exitnow` and fatal errors jump out of Csound's perform function while the audio thread holds Csound's own lock. Any
/// other thread would wait for that lock for ever. Such an engine stays here until the audio thread closes it.
final class EngineList: Sendable {
  private let engines: Mutex<[LiveEngine]>

  init(_ first: LiveEngine) { engines = Mutex([first]) }

  var all: [LiveEngine] { engines.withLock { $0 } }

  func add(_ engine: LiveEngine) { engines.withLock { $0.append(engine) } }

  func contains(_ engine: LiveEngine) -> Bool {
    engines.withLock { $0.contains { $0 === engine } }
  }

  /// Removes an engine that is no longer performed, unless only the audio thread can close it.
  func remove(_ voice: UnsafeMutablePointer<EngineVoice>) {
    // If this is the last reference, the engine is freed after the lock has been released.
    _ = engines.withLock { engines in
      let place = engines.firstIndex { $0.voice == voice && !$0.isLocked }
      return place.map { engines.remove(at: $0) }
    }
  }

  /// Closes the engines that only this thread can close. [audio thread, after its last period]
  func closeLocked() {
    for engine in all where engine.isLocked { engine.close() }
  }
}
