/// A request from another thread to the audio loop.
struct LoopCommand: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// Fade out; then end.
    case stop
    /// Fade out; then keep the engine where it is.
    case pause
    case resume
    /// `memory` is the `EngineVoice` that takes over at the frame it has been performed to.
    case replace
    /// `memory` is a `RingWriter` that gets each period from now on; nil: none.
    case record
    /// `memory` is the `MixGraph` that is played together with the engine from now on; nil: none.
    case mix
  }

  var kind: Kind
  var memory: UnsafeMutableRawPointer?
}
