// aupper, alower, apedal, apercussion TONEWHEELS ikeys, idrawbars [, kharmonic [, ksoft [, kfast [, kclick [, kleakage]]]]]
//
// The tone generator, manuals, pedals, drawbars and percussion of a Hammond organ, model B-3.
//
// Ninety-one wheels turn all the time, at what their gears make of 20 turns a second. A key does not
// start a sound: nine contacts under it lead nine wheels to nine bus bars, whose levels are the
// drawbars'. Other keys lead the same wheels, so nothing beats, and the cost is that of 91 wheels however
// many keys are held.
//
//     out_m[n] = sum over wheels w of t_w[n] g_w     g_w = sum over closed contacts to w of taper drawbar
//     t_w[n] = s_w[n] + leakage (s_c[n] + s_l[n] + s_r[n])         s_w[n] = sin 2 pi (p_w + f_w n / sr)
//
// The place of a wheel is a whole number of 2^-64 turns, computed from the number of frames since the
// note began: it does not drift. c is the wheel in the same compartment, l and r those whose terminals
// lie beside it.
//
// Write the keys into a table, 1 for a key that is held and 0 for one that is not: the element of a key
// of the upper manual is its MIDI note number, of the lower 128 more and of the pedals 256 more. The
// drawbars are in another: nine from 16' to 1' for the upper manual, nine for the lower, 16' and 8' for
// the pedals. Both are read in each k-cycle. One line plays a key while a note sounds, with an
// instrument behind it that clears the table (csd/instruments/organ.csd):
//
//     tablew k(1), p4 + 128 * p5, gikeys
//
// The click is what a sine has that begins anywhere in its turn: each contact closes at another moment of
// the 3 ms a key takes, always the same one. The percussion has one envelope for all keys: it begins
// when a key of the upper manual goes down and none was held, and falls by 60 dB in 1 or 4 s. The
// moments of the contacts, the percussion's time to recover (15 ms) and the places of the wheels at the
// start are choices. Gears after "Just Hammond", Xenharmonic Wiki; drawbar steps after Cherry Audio;
// taper, foldback, percussion and leakage after setBfree (https://github.com/pantherb/setBfree).
//
// Not in it: the lowest octave's wheels of a B-3 are cut for a richer wave; here all are sines.

import OpcodeKit

@Opcode("TONEWHEELS", "Tonewheel organ: wheels, keys, drawbars and percussion")
struct ToneWheels: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The upper manual, the lower manual and the pedals. One key with one drawbar at 8 and no taper has
    /// an amplitude of 1/16 of full scale.
    let upper, lower, pedals: AudioOutput
    /// The percussion of the upper manual, which does not go through the vibrato.
    let percussion: AudioOutput
    /// The table of keys, at least 384 elements: MIDI notes 36 to 96 of the upper manual, the same + 128 of
    /// the lower, 36 to 60 + 256 of the pedals; a key is held while its element is above 0.
    let keys: InitInput
    /// The table of drawbars, at least 20 elements from 0 to 8, clamped; they follow within 5 ms.
    let drawbars: InitInput
    /// The percussion's harmonic: 2 or 3, anything else is off. Default 0. On, it takes the 1' drawbar of
    /// the upper manual.
    @Default(0) let harmonic: ControlInput
    /// Nonzero is a soft percussion, 6 dB less; else the upper manual is 4.4 dB softer. Default 0.
    @Default(0) let soft: ControlInput
    /// Nonzero is a fast decay, 60 dB in 1 s; else in 4 s. Default 1.
    @Default(1) let fast: ControlInput
    /// How the contacts close, 0 to 1: at once with 1, within 5 ms with 0. Default 1.
    @Default(1) let click: ControlInput
    /// How much neighbouring wheels are heard, 0 to 10: with 1 each is 40 dB below. Default 1.
    @Default(1) let leakage: ControlInput
  }

  static let bufferCount = 12

  private var generator: ToneGenerator
  private var contacts: OrganContacts
  private var routes: OrganRoutes
  private var envelope: PercussionEnvelope
  /// The drawbars as they were read last, and the percussion's switches.
  private let settings: Buffer<Double>
  private var harmonic = 0.0
  private var isSoft = false
  private var isNew = true
  /// Whether other contacts are closed than were added up.
  private var isStale = true
  /// The amplitude of one wheel.
  private let unit: Double
  private let fadeFrames: Int

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    _ = try Self.table(arguments.keys.value, "ikeys", 384, context)
    _ = try Self.table(arguments.drawbars.value, "idrawbars", 20, context)
    generator = try ToneGenerator(context)
    contacts = try OrganContacts(context)
    routes = try OrganRoutes(context)
    settings = try context.buffer(11, count: OrganManual.allDrawbars)
    envelope = PercussionEnvelope(sampleRate: context.sampleRate)
    unit = context.fullScale / 16
    fadeFrames = max(1, Int(0.005 * context.sampleRate))
  }

  private static func table(
    _ number: Double, _ name: StaticString, _ count: Int, _ context: Context
  ) throws(OpcodeError) -> FunctionTable {
    let table = try context.table(number, argument: name)
    guard table.count >= count else {
      throw OpcodeError(
        argument: name, is: number,
        mustBe: count == 20
          ? "the number of a table of at least 20 drawbars"
          : "the number of a table of at least 384 keys")
    }
    return table
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let keys = context.table(arguments.keys.value), keys.count >= 384 else {
      throw OpcodeError("its table of keys was deleted or made shorter.")
    }
    guard let drawbars = context.table(arguments.drawbars.value), drawbars.count >= 20 else {
      throw OpcodeError("its table of drawbars was deleted or made shorter.")
    }
    let leakage = arguments.leakage.value
    generator.leakage = leakage > 0 ? min(leakage, 10) * 0.01 : 0
    if isNew { generator.begin() }
    contacts.setClick(arguments.click.value)
    if contacts.follow(keys) { isStale = true }
    followDrawbars(drawbars, harmonic: arguments.harmonic.value, isSoft: arguments.soft.value != 0)
    envelope.follow(isHeld: contacts.upperCount > 0, isFast: arguments.fast.value != 0)
    isNew = false

    let frames = context.frames
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      if isStale {
        routes.build(contacts)
        isStale = false
      }
      let left = frames.upperBound - frame
      let run = min(min(8 - generator.place, left), routes.fadeFrames > 0 ? routes.fadeFrames : 8)
      play(run, at: frame, arguments)
      contacts.advance(by: run)
      if routes.advance(by: run) { isStale = true }
      generator.advance(by: run)
      frame += run
    }
    envelope.rest(frames.count)
    if contacts.settle() { isStale = true }
  }

  /// Some frames of the generator's block.
  @inline(__always) @_semantics("no_performance_analysis")
  private mutating func play(_ run: Int, at frame: Int, _ arguments: Arguments) {
    let place = generator.place
    let frames = Lanes(values: SIMD8(0, 1, 2, 3, 4, 5, 6, 7)) - Lanes(Double(place))
    var upper = routes.mix(.upper, generator, frames)
    var lower = routes.mix(.lower, generator, frames)
    var pedals = routes.mix(.pedals, generator, frames)
    var percussion = routes.mix(.percussion, generator, frames)
    for index in 0..<contacts.movingCount {
      let (contact, amounts) = contacts.moving(index, frames)
      let signal = generator.terminal(contact.terminal) * amounts * Lanes(contact.taper)
      let level = routes.level(contact.drawbar)
      let heard = signal * (Lanes(level.gain) + Lanes(level.slope) * frames)
      switch OrganOutput(ofDrawbar: contact.drawbar) {
      case .upper: upper = upper + heard
      case .lower: lower = lower + heard
      default: pedals = pedals + heard
      }
      if contact.drawbar == routes.percussionDrawbar {
        percussion = percussion + signal * Lanes(routes.percussionGain)
      }
    }
    Self.write(upper, place, run, to: arguments.upper, at: frame)
    Self.write(lower, place, run, to: arguments.lower, at: frame)
    Self.write(pedals, place, run, to: arguments.pedals, at: frame)
    for index in 0..<run {
      arguments.percussion[frame + index] = percussion[place + index] * envelope.next()
    }
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private static func write(
    _ lanes: Lanes, _ place: Int, _ run: Int, to output: AudioOutput, at frame: Int
  ) {
    if run == 8 {
      output.setLanes(lanes, at: frame)
    } else {
      for index in 0..<run { output[frame + index] = lanes[place + index] }
    }
  }

  /// Takes over drawbars and switches, when one of them is another.
  private mutating func followDrawbars(_ table: FunctionTable, harmonic asked: Double, isSoft: Bool)
  {
    let isOn = asked == 2 || asked == 3
    let harmonic = isOn ? asked : 0
    var isSame = !isNew && harmonic == self.harmonic && isSoft == self.isSoft
    for drawbar in 0..<settings.count {
      let setting = table[drawbar]
      if settings[drawbar].bitPattern == setting.bitPattern { continue }
      settings[drawbar] = setting
      isSame = false
    }
    guard !isSame else { return }
    (self.harmonic, self.isSoft) = (harmonic, isSoft)
    let upper = isOn && !isSoft ? Self.normalGain : 1
    for drawbar in 0..<settings.count {
      var gain = unit * OrganWiring.drawbarGain(settings[drawbar])
      if drawbar < 9 { gain *= isOn && drawbar == 8 ? 0 : upper }
      routes.setTarget(drawbar, gain)
    }
    let percussion = isSoft ? Self.percussionGain * Self.softGain : Self.percussionGain * upper
    routes.setPercussion(
      drawbar: isOn ? (harmonic == 2 ? 3 : 4) : -1, gain: isOn ? unit * percussion : 0)
    routes.fade(in: isNew ? 0 : fadeFrames)
    isStale = true
  }

  /// The percussion beside a drawbar at 8, and what is left of it when it is soft; what is left of the
  /// manual and of both when it is not.
  private static var percussionGain: Double { 3 }
  private static var softGain: Double { 0.5012 }
  private static var normalGain: Double { 0.60512 }
}

/// The one envelope of the percussion.
package struct PercussionEnvelope: BitwiseCopyable {
  private var gain = 0.0
  private var decay = 1.0
  /// What it would begin with.
  private var charge = 1.0
  private var isHeld = false
  private let sampleRate: Double

  package init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// Whether any key is held, and how fast it falls, from the next frame on.
  package mutating func follow(isHeld: Bool, isFast: Bool) {
    decay = Math.exp(-6.907755278982137 / (sampleRate * (isFast ? 1 : 4)))  // ln 1000
    if isHeld && !self.isHeld { gain = charge }
    if !isHeld && self.isHeld { charge = gain }
    self.isHeld = isHeld
  }

  @inline(__always)
  package mutating func next() -> Double {
    defer { gain *= decay }
    return gain
  }

  /// Recovers, when no key is held, for a number of frames.
  package mutating func rest(_ frames: Int) {
    if gain < 1e-30 { gain = 0 }
    guard !isHeld else { return }
    charge = 1 + (charge - 1) * Math.exp(-Double(frames) / (0.015 * sampleRate))
  }
}
