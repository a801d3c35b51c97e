// aout DELAYR idelay [, iskip]
//
// Begins a delay line that taps can read: DELTAP, DELTAPN, DELTAPI and DELTAP3 after it in the instrument, any number of
// them. DELAYW ends it and says what goes in. The output is what went in `idelay` seconds ago.
//
//     aold  DELAYR  0.5
//     anear DELTAP3 ktime
//           DELAYW  ain + 0.4 * anear
//
// The same as Csound's `delayr` with one output: taps count the open lines themselves. DELAYR, its taps and DELAYW go
// together: Csound's taps do not read this line. Up to 64 lines can be open in an instrument at a time; a DELAYW closes
// the one that was opened first. For taps and feedback in one opcode use TAPS, whose feedback can be shorter than a
// k-cycle.
//
// Four frames are moved at once.
//
// Category: Signal Modifiers:Delay

// DELAYW ain
//
// Ends the delay line that the first open DELAYR above it began, and writes a signal into it.
//
// The same as Csound's `delayw`. Without an open DELAYR it is an init error. Four frames are moved at once.
//
// Category: Signal Modifiers:Delay

import OpcodeKit

/// The memory of a delay line between DELAYR and DELAYW. It is in a buffer of DELAYR whose size is always the same, and so
/// stays where it is when a reinit changes the line's length.
struct DelayHead: BitwiseCopyable {
  /// Written by DELAYW, after all have read.
  var line: DelayLine
  /// The delay of DELAYR in samples, a whole number.
  let longest: Int
}

/// The delay lines that the init pass under way has begun and not ended, first one first. What an earlier init pass left
/// open is forgotten, as its memory may be free by now: an init pass lasts no longer than a k-cycle.
struct OpenDelays {
  private struct Extent: BitwiseCopyable { var cycle, count: Int }

  private let extent: Shared<Extent>
  private let lines: Buffer<Buffer<DelayHead>>

  init(_ context: Context) throws(OpcodeError) {
    extent = try context.shared(Extent.self, named: "OpcodeKit.DELAYR.open")
    lines = try context.sharedBuffer(
      of: Buffer<DelayHead>.self, count: 64, named: "OpcodeKit.DELAYR.lines")
    let cycle = context.engineCycle
    if extent.value.cycle != cycle { extent.value = Extent(cycle: cycle, count: 0) }
  }

  func append(_ head: Buffer<DelayHead>) throws(OpcodeError) {
    guard extent.value.count < lines.count else {
      throw OpcodeError("64 delay lines are open; each DELAYR needs a DELAYW below it.")
    }
    lines[extent.value.count] = head
    extent.value.count += 1
  }

  /// The line that was opened first, which is closed.
  func takeFirst() throws(OpcodeError) -> Buffer<DelayHead> {
    let first = try line(-1)
    extent.value.count -= 1
    for index in 0..<extent.value.count { lines[index] = lines[index + 1] }
    return first
  }

  /// A line by its number: 0 is the last one, 1 the one before it; -1 is the first one, -2 the next.
  func line(_ number: Double) throws(OpcodeError) -> Buffer<DelayHead> {
    let count = extent.value.count
    guard count > 0 else { throw OpcodeError("no DELAYR is open above it.") }
    let place = number.rounded(.toNearestOrEven)
    let index = place < 0 ? -place - 1 : Double(count - 1) - place
    guard index >= 0, index < Double(count) else {
      throw OpcodeError(
        argument: "indx", is: number,
        mustBe: "0 for the line opened last, 1 for the one before it, -1 for the first, and so on")
    }
    return lines[Int(index)]
  }
}

@Opcode("DELAYR", "Begins a delay line with taps and reads its end")
struct DelayBeginning: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The signal that DELAYW wrote `idelay` seconds ago.
    let output: AudioOutput
    /// Length of the line in seconds, rounded to whole samples: from one k-cycle to one hour; anything else is an init
    /// error.
    let delay: InitInput
    /// Nonzero keeps the line of the previous note in the same memory, as long as it was. Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 2 }

  private let head: Buffer<DelayHead>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let delay = arguments.delay.value
    let count = (delay * context.sampleRate).rounded(.toNearestOrEven)
    guard count >= Double(context.ksmps), delay <= 3600 else {
      throw OpcodeError(argument: "idelay", is: delay, mustBe: "from one k-cycle to 3600 s")
    }
    head = try context.buffer(0, count: 1)
    head[0] = DelayHead(
      line: try DelayLine(longest: count, context, buffer: 1), longest: Int(count))
    try OpenDelays(context).append(head)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try OpenDelays(context).append(head)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let line = head[0].line
    var (frame, end) = (context.frames.lowerBound, context.frames.upperBound)
    // The next sample to be written has age -1.
    var age = head[0].longest &- 1
    while frame &+ 4 <= end {
      arguments.output.setQuad(line.quad(from: age), at: frame)
      (frame, age) = (frame &+ 4, age &- 4)
    }
    while frame < end {
      arguments.output[frame] = line[age]
      (frame, age) = (frame &+ 1, age &- 1)
    }
  }
}

@Opcode("DELAYW", "Ends a delay line with taps and writes into it")
struct DelayEnd: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// The signal that goes into the line.
    let input: AudioInput
  }

  private let head: Buffer<DelayHead>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    head = try OpenDelays(context).takeFirst()
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    var (frame, end) = (context.frames.lowerBound, context.frames.upperBound)
    if frame &+ 4 <= end {
      var line = head[0].line
      repeat {
        line.push(arguments.input.quad(at: frame))
        frame &+= 4
      } while frame &+ 4 <= end
      head[0].line = line
    }
    while frame < end {
      head[0].line.push(arguments.input[frame])
      frame &+= 1
    }
  }
}
