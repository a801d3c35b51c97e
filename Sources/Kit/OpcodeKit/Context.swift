public import CCsound

/// The Csound engine and the note that an opcode runs in: rates, frames, buffers, p-fields. Valid only during the pass
/// that received it.
///
/// Csound's getters neither allocate nor lock, but the compiler cannot see that; hence the attribute
/// `no_performance_analysis`.
@frozen
public struct Context: BitwiseCopyable {
  @usableFromInline let csound: CsoundPointer
  @usableFromInline let block: BlockPointer
  @usableFromInline let buffers: UnsafeMutablePointer<BufferSlot>
  @usableFromInline let bufferCount: Int

  @usableFromInline let firstFrame: Int
  @usableFromInline let endFrame: Int

  @inlinable @inline(__always)
  init(
    _ csound: CsoundPointer, _ block: BlockPointer, buffers: UnsafeMutablePointer<BufferSlot>,
    bufferCount: Int, frames: Range<Int>
  ) {
    self.csound = csound
    self.block = block
    self.buffers = buffers
    self.bufferCount = bufferCount
    (firstFrame, endFrame) = (frames.lowerBound, frames.upperBound)
  }

  #if !hasFeature(Embedded)
    /// The Csound instance, for opcodes that are part of a host.
    package var instance: CsoundPointer { csound }

    /// The name that the orchestra calls the opcode by, for opcodes that are part of a host.
    package var opcodeName: String {
      String(String(cString: ccs_opcode_name(csound, block)).prefix { $0 != "." })
    }
  #endif

  /// The samples to compute in this k-cycle, as indices into the audio arguments. Undefined in the init pass.
  ///
  /// With `--sample-accurate`, the range starts later in a note's first k-cycle and ends earlier in its last; the kit
  /// writes zeros outside it.
  @inlinable @inline(__always)
  public var frames: Range<Int> { Range(uncheckedBounds: (firstFrame, endFrame)) }

  /// Sample rate in Hz. In Csound 7 a user-defined opcode can have a sample rate of its own.
  @inlinable public var sampleRate: Double {
    @_semantics("no_performance_analysis") get { ccs_sample_rate(csound, block) }
  }

  /// Control rate in Hz: k-cycles per second of the instrument or UDO, after its own `setksmps`.
  @inlinable public var controlRate: Double { CsoundBlock.controlRate(of: block) }

  /// Samples in a k-cycle of the instrument or UDO, after its own `setksmps`.
  @inlinable public var ksmps: Int { CsoundBlock.ksmps(of: block) }

  /// The amplitude of full scale: `0dbfs` in the orchestra.
  @inlinable public var fullScale: Double {
    @_semantics("no_performance_analysis") get { ccs_full_scale(csound) }
  }

  /// The frequency of A4 in Hz: `A4` in the orchestra, 440 by default.
  @inlinable public var a4Hz: Double {
    @_semantics("no_performance_analysis") get { ccs_a4_hz(csound) }
  }

  /// Whether this init pass is a `reinit`.
  @inlinable public var isReinit: Bool { CsoundBlock.isReinit(block) }

  /// Whether this init pass continues a tied note.
  @inlinable public var isTied: Bool { CsoundBlock.isTied(block) }
}
