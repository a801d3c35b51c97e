// The interface between the kit and one version of Csound. All Swift code of the kit that reads Csound's structs is in
// this file; the C side of the interface is CCsound.h.

public import CCsound

/// The Csound instance that an opcode or host works with.
public typealias CsoundPointer = UnsafeMutablePointer<CSOUND>

/// An opcode's memory block as Csound passes it: OPDS, the argument pointers, then the kit's own data.
public typealias BlockPointer = UnsafeMutableRawPointer

/// The table in which Csound's own libraries return their opcodes. Unused by the kit, which registers each opcode with
/// a call.
@_documentation(visibility: internal) public typealias OpcodeTablePointer = UnsafeMutableRawPointer

/// A pass of one overload as Csound calls it; returns 0, or -1 when the pass failed.
public typealias EntryPoint = @convention(c) (CsoundPointer, BlockPointer) -> CInt

/// A request for a table, as Csound passes it to a GEN routine.
@_documentation(visibility: internal)
public typealias GeneratorRequestPointer = UnsafeMutablePointer<FGDATA>

/// A function table, as Csound passes it to a GEN routine.
@_documentation(visibility: internal)
public typealias GeneratorTablePointer = UnsafeMutablePointer<FUNC>

/// A GEN routine as Csound calls it; returns 0 or an error code.
@_documentation(visibility: internal) public typealias GeneratorEntryPoint =
  @convention(c) (GeneratorRequestPointer, GeneratorTablePointer?) -> CInt

/// The named GEN routines of a plugin, as `csound_fgen_init` returns them.
@_documentation(visibility: internal)
public typealias GeneratorListPointer = UnsafeMutablePointer<NGFENS>

/// The value `csoundModuleInfo` must return so that Csound accepts the plugin.
@_documentation(visibility: internal) public var csoundModuleVersion: CInt { ccs_module_info() }

/// Whether the Csound that this is built for has structs: Csound 7 has, Csound 6 has not.
public var csoundHasStructs: Bool { ccs_has_structs() != 0 }

/// Whether this processor has the instruction set that the plugin is compiled for.
///
/// Check this before anything else in `csound_opcode_init` and `csound_fgen_init`: the compiler may use those
/// instructions anywhere, even to copy a struct.
@_documentation(visibility: internal) @inlinable @inline(__always)
public var processorSuits: Bool { ccs_missing_processor_level() == nil }

/// When this processor lacks the instruction set the plugin is compiled for, prints a message in Csound's log that
/// names the processors it needs.
@_documentation(visibility: internal) @inlinable @inline(__always)
public func reportProcessor(_ csound: CsoundPointer) { ccs_report_processor(csound) }

/// The `csound_opcode_init` of the code compiled for newer processors; nil when the plugin contains none or this
/// processor cannot run it.
@inlinable @inline(__always)
var newerOpcodes: (@convention(c) (CsoundPointer?, OpcodeTablePointer?) -> Int64)? {
  ccs_newer_opcode_init()
}

/// The same for `csound_fgen_init`.
@inlinable @inline(__always)
var newerGenerators: (@convention(c) (CsoundPointer?) -> GeneratorListPointer?)? {
  ccs_newer_fgen_init()
}

/// The value `csound_fgen_init` returns when there are no GEN routines.
@_documentation(visibility: internal) @inlinable @inline(__always)
public var noGenerators: GeneratorListPointer { ccs_no_generators() }

@usableFromInline
enum CsoundBlock {
  /// Bytes before the argument pointers.
  @inlinable static var headerSize: Int { MemoryLayout<OPDS>.size }

  /// The largest block size in bytes that Csound can store.
  @inlinable static var largestSize: Int { ccs_largest_block() }

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

  /// The samples of this k-cycle that belong to the note, as indices into the audio arguments.
  @inlinable @inline(__always)
  static func frames(of block: BlockPointer) -> Range<Int> {
    let instrument = instrument(of: block)
    let first = Int(instrument.pointee.ksmps_offset)
    let end = Int(instrument.pointee.ksmps) - Int(instrument.pointee.ksmps_no_end)
    return Range(uncheckedBounds: (first, end > first ? end : first))
  }

  /// Whether the note covers the whole k-cycle.
  @inlinable @inline(__always)
  static func isWholeCycle(_ block: BlockPointer) -> Bool {
    let instrument = instrument(of: block)
    return instrument.pointee.ksmps_offset | instrument.pointee.ksmps_no_end == 0
  }

  /// Whether the k-cycle is one sample long and belongs to the note.
  @inlinable @inline(__always)
  static func isWholeFrame(_ block: BlockPointer) -> Bool {
    ksmps(of: block) == 1 && isWholeCycle(block)
  }

  /// Whether the note is still being performed.
  @inlinable
  static func isActive(_ block: BlockPointer) -> Bool {
    instrument(of: block).pointee.actflg != 0
  }

  @inlinable
  static func isReleasing(_ block: BlockPointer) -> Bool {
    instrument(of: block).pointee.relesing != 0
  }

  /// The instrument's or UDO's own count of k-cycles; see `PerformanceClock`.
  @inlinable @inline(__always)
  static func cycles(of block: BlockPointer) -> Int {
    Int(truncatingIfNeeded: instrument(of: block).pointee.kcounter)
  }

  /// A note's p-field; nil for a number above 3 that the instrument does not use.
  @inlinable
  static func pField(_ number: Int, of block: BlockPointer) -> Double? {
    let instrument = instrument(of: block)
    guard number >= 0, number <= Int(ccs_p_field_count(instrument)) else { return nil }
    return ccs_p_field(instrument, CInt(number))
  }

  /// Key and velocity of the MIDI note that plays the instrument; nil when none does.
  @inlinable
  static func midiNote(of block: BlockPointer) -> (key: Int, velocity: Int)? {
    let instrument = instrument(of: block)
    guard instrument.pointee.m_chnbp != nil else { return nil }
    return (Int(instrument.pointee.m_pitch), Int(instrument.pointee.m_veloc))
  }

  @inlinable @inline(__always)
  static func text(of block: BlockPointer) -> TEXT {
    block.assumingMemoryBound(to: OPDS.self).pointee.optext.pointee.t
  }

  /// Registers a deinit pass, which Csound calls when the note ends [init pass].
  ///
  /// In Csound 6 the corresponding C function is `csoundRegisterDeinitCallback`.
  @usableFromInline
  static func atDeinit(_ csound: CsoundPointer, _ block: BlockPointer, _ pass: EntryPoint) {
    ccs_at_deinit(
      csound, block,
      unsafeBitCast(
        pass,
        to: (@convention(c) (UnsafeMutablePointer<CSOUND>?, UnsafeMutableRawPointer?) -> CInt)
          .self))
  }

  /// The pointers that Csound stores after the header: outputs, then inputs.
  @inlinable @inline(__always)
  static func row(of block: BlockPointer) -> UnsafePointer<UnsafeMutableRawPointer?> {
    UnsafePointer((block + headerSize).assumingMemoryBound(to: UnsafeMutableRawPointer?.self))
  }

  @inlinable static func outputCount(of block: BlockPointer) -> Int {
    Int(text(of: block).outlist?.pointee.count ?? 0)
  }

  @inlinable static func inputCount(of block: BlockPointer) -> Int {
    Int(text(of: block).inlist?.pointee.count ?? 0)
  }

  /// The most arguments that Csound passes on each side (VARGMAX).
  @inlinable static var largestArgumentCount: Int { 1999 }

  /// Writes variadic arguments in the kit's layout: one word for each fixed argument, and two words for a variadic
  /// letter (the address of the first pointer, and the number of arguments). Neither allocates nor locks.
  @usableFromInline @_semantics("no_performance_analysis")
  static func decodeArguments(of block: BlockPointer, to arguments: UnsafeMutableRawPointer) {
    let entry = text(of: block).oentry.unsafelyUnwrapped.pointee
    let outputs = TypeString(entry.outypes)
    let inputs = TypeString(entry.intypes)
    let outputCount = outputCount(of: block)
    var word = arguments.assumingMemoryBound(to: Int.self)
    func decode(
      _ types: TypeString, _ row: UnsafePointer<UnsafeMutableRawPointer?>, count: Int,
      _ isVariadic: (UInt8) -> Bool
    ) {
      let fixedCount = types.count - 1
      var (items, index) = (types, 0)
      while let item = items.next() {
        if isVariadic(item.letter) {
          word[0] = Int(bitPattern: row + index)
          word[1] = max(0, count - fixedCount)
          word += 2
        } else {
          word[0] = Int(bitPattern: row[index])
          word += 1
        }
        index += 1
      }
    }
    let row = row(of: block)
    decode(outputs, row, count: outputCount, TypeString.isVariadicOutput)
    decode(
      inputs, row + max(outputCount, outputs.count), count: inputCount(of: block),
      TypeString.isVariadicInput)
  }

  /// Zeroes the samples outside the note in every audio output. Called at the end of a pass.
  @inlinable @inline(never)
  static func silenceRest(_ block: BlockPointer) -> CInt {
    silence(block, outside: frames(of: block))
    return 0
  }

  /// Zeroes the samples outside `frames` in every audio output. With the empty range `0..<0` that is all of them.
  @inlinable @inline(never)
  static func silence(_ block: BlockPointer, outside frames: Range<Int>) {
    let ksmps = ksmps(of: block)
    var types = TypeString(text(of: block).oentry.unsafelyUnwrapped.pointee.outypes)
    let row = row(of: block)
    let outputCount = outputCount(of: block)
    var index = 0
    while let item = types.next() {
      let isVariadic = isVariadicAudio(item)
      // A variadic letter is always the last one.
      let end = isVariadic ? outputCount : index + 1
      while index < end {
        if let output = row[index], item.letter == UInt8(ascii: "a") || isVariadic {
          if item.isArray {
            let array = ArrayOutput<AudioOutput>.at(output)
            for channel in 0..<array.count {
              silence(array[channel].samples, ksmps, outside: frames)
            }
          } else {
            silence(output.assumingMemoryBound(to: Double.self), ksmps, outside: frames)
          }
        } else if item.letter == UInt8(ascii: ":"), let output = row[index] {
          if item.isArray {
            silenceElements(output, ksmps, outside: frames)
          } else {
            silenceMembers(output, ksmps, outside: frames)
          }
        }
        index += 1
      }
    }
  }

  @inlinable
  static func isVariadicAudio(_ item: TypeString.Item) -> Bool { item.letter == UInt8(ascii: "m") }

  /// Zeroes the samples outside `frames` in every audio signal of a struct.
  @inlinable
  static func silenceMembers(
    _ variable: UnsafeMutableRawPointer, _ ksmps: Int, outside frames: Range<Int>
  ) {
    let structure = variable.assumingMemoryBound(to: ccs_struct.self).pointee
    for index in 0..<Int(structure.memberCount) {
      let member = structure.members[index].unsafelyUnwrapped
      let value = UnsafeMutableRawPointer(member) + 8
      switch UInt8(bitPattern: member.pointee.varType.pointee.varTypeName[0]) {
      case UInt8(ascii: "a"):
        silence(value.assumingMemoryBound(to: Double.self), ksmps, outside: frames)
      case UInt8(ascii: ":"): silenceMembers(value, ksmps, outside: frames)
      case UInt8(ascii: "["): silenceElements(value, ksmps, outside: frames)
      default: break
      }
    }
  }

  /// The same for an array of audio signals or structs.
  @inlinable
  static func silenceElements(
    _ variable: UnsafeMutableRawPointer, _ ksmps: Int, outside frames: Range<Int>
  ) {
    let array = variable.assumingMemoryBound(to: ARRAYDAT.self).pointee
    guard let type = array.arrayType else { return }
    let letter = UInt8(bitPattern: type.pointee.varTypeName[0])
    for index in 0..<ArrayMemory.count(array) {
      let element: UnsafeMutableRawPointer = ArrayMemory.element(array, index)
      if letter == UInt8(ascii: "a") {
        silence(element.assumingMemoryBound(to: Double.self), ksmps, outside: frames)
      } else if letter == UInt8(ascii: ":") {
        silenceMembers(element, ksmps, outside: frames)
      }
    }
  }

  @inlinable
  static func silence(
    _ samples: UnsafeMutablePointer<Double>, _ ksmps: Int, outside frames: Range<Int>
  ) {
    for frame in 0..<frames.lowerBound { samples[frame] = 0 }
    var frame = frames.upperBound
    while frame < ksmps {
      samples[frame] = 0
      frame += 1
    }
  }
}

extension Overload {
  /// Adds the overload to a Csound instance. Csound keeps the pointers, so names and type strings must be static
  /// strings.
  ///
  /// The corresponding C function is `csoundAppendOpcode`.
  @usableFromInline
  func append(to csound: CsoundPointer) {
    ccs_append(
      csound, name.cString, blockSize, outputs.cString, inputs.cString,
      unsafeBitCast(initialize, to: SUBR?.self), unsafeBitCast(perform, to: SUBR?.self),
      hasDeinit ? 1 : 0)
  }
}
