// The seam between the kit and one version of Csound: every read of a Csound struct made by the
// kit is in this file; the C side of the seam is CCsound.h.

public import CCsound

/// The Csound instance an opcode or host works with.
public typealias CsoundPointer = UnsafeMutablePointer<CSOUND>

/// An opcode's memory as Csound hands it over: OPDS, argument pointers, then what the kit lays out.
public typealias BlockPointer = UnsafeMutableRawPointer

/// Where Csound's own libraries put a table of opcodes; the kit registers them itself and leaves it.
public typealias OpcodeTablePointer = UnsafeMutableRawPointer

/// A pass of one overload as Csound calls it; returns 0, or −1 when the pass failed.
public typealias EntryPoint = @convention(c) (CsoundPointer, BlockPointer) -> CInt

/// What `csoundModuleInfo` must return for Csound to accept the plugin.
public var csoundModuleVersion: CInt { ccs_module_info() }

@usableFromInline
enum CsoundBlock {
  /// Bytes in front of the argument pointers.
  @inlinable static var headerSize: Int { MemoryLayout<OPDS>.size }

  /// `dsblksiz` is 16 bits wide and from 65,531 up Csound's parser loses the opcode.
  @inlinable static var largestSize: Int { 65_530 }

  @inlinable @inline(__always)
  static func instrument(of block: BlockPointer) -> UnsafeMutablePointer<INSDS> {
    block.assumingMemoryBound(to: OPDS.self).pointee.insdshead.unsafelyUnwrapped
  }

  @inlinable @inline(__always)
  static func ksmps(of block: BlockPointer) -> Int { Int(instrument(of: block).pointee.ksmps) }

  @inlinable @inline(__always)
  static func controlRate(of block: BlockPointer) -> Double { instrument(of: block).pointee.ekr }

  @inlinable
  static func isReinit(_ block: BlockPointer) -> Bool {
    instrument(of: block).pointee.reinitflag != 0
  }

  @inlinable
  static func isTied(_ block: BlockPointer) -> Bool { instrument(of: block).pointee.tieflag != 0 }

  /// The samples of this k-cycle that belong to the note.
  @inlinable @inline(__always)
  static func frames(of block: BlockPointer) -> Range<Int> {
    let instrument = instrument(of: block)
    let first = Int(instrument.pointee.ksmps_offset)
    let end = Int(instrument.pointee.ksmps) - Int(instrument.pointee.ksmps_no_end)
    return Range(uncheckedBounds: (first, end > first ? end : first))
  }

  /// Whether the note fills this whole k-cycle.
  @inlinable @inline(__always)
  static func isWholeCycle(_ block: BlockPointer) -> Bool {
    let instrument = instrument(of: block)
    return instrument.pointee.ksmps_offset | instrument.pointee.ksmps_no_end == 0
  }

  /// Zeroes the samples outside `frames` in every audio output.
  @inlinable @inline(never)
  static func silenceOutsideFrames(of block: BlockPointer) {
    let frames = frames(of: block)
    let header = block.assumingMemoryBound(to: OPDS.self)
    let ksmps = Int(header.pointee.insdshead.pointee.ksmps)
    guard let types = header.pointee.optext.pointee.t.oentry.pointee.outypes else { return }
    let outputs = (block + headerSize)
      .assumingMemoryBound(to: UnsafeMutablePointer<Double>.self)
    var index = 0
    while types[index] != 0 {
      if types[index] == CChar(UInt8(ascii: "a")) {
        var frame = 0
        while frame < ksmps {
          if frame == frames.lowerBound { frame = frames.upperBound }
          if frame < ksmps { outputs[index][frame] = 0 }
          frame += 1
        }
      }
      index += 1
    }
  }
}

extension Overload {
  /// Adds the overload to a Csound instance. Csound keeps the pointers it is given, so names and
  /// type strings are static strings.
  ///
  /// The corresponding C function is `csoundAppendOpcode`. Csound 6.18 calls the `k` slot for
  /// performance at every rate; the `a` slot is never called.
  @usableFromInline
  func append(to csound: CsoundPointer) {
    let thread: CInt = perform == nil ? 1 : 3
    _ = csound.pointee.AppendOpcode(
      csound, name.cString, CInt(blockSize), 0, thread, outputs.cString, inputs.cString,
      unsafeBitCast(initialize, to: SUBR?.self), unsafeBitCast(perform, to: SUBR?.self), nil)
  }
}
