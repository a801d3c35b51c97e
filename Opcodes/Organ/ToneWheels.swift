// aupper, alower, apedal, apercussion TONEWHEELS ikeys, idrawbars [, kharmonic [, ksoft [, kfast [, kclick [, kleakage]]]]]
//
// The tone generator, manuals, pedals, drawbars and percussion of a Hammond organ, model B-3.
//
// Ninety-one wheels turn all the time; their frequencies follow from their gears and a shaft with 20 turns per second.
// A key does not start a sound: its nine contacts connect nine wheels to nine bus bars, whose levels are set by the
// drawbars. Several keys can use the same wheel, so nothing beats, and the cost is that of 91 wheels however many keys
// are held.
//     out_m[n] = sum over wheels w of t_w[n] g_w     g_w = sum over closed contacts to w of taper drawbar
//     t_w[n] = s_w[n] + leakage (s_c[n] + s_l[n] + s_r[n])         s_w[n] = sin 2 pi (p_w + f_w n / sr)
//
// The phase of a wheel is computed from the number of frames since the start of the note, in units of 2^-64 turns, so
// it does not drift. c is the wheel in the same compartment of the generator; l and r are those with the neighbouring
// terminals.
//
// Write the keys into a table, 1 for a held key and 0 for a released one. The index of a key is its MIDI note number
// for the upper manual, 128 more for the lower manual and 256 more for the pedals. The drawbars are in another table:
// nine for the upper manual from 16' to 1', nine for the lower manual, then 16' and 8' for the pedals. Both tables are
// read in each k-cycle. One line plays a key while a note sounds; an instrument after it must clear the table
// (csd/instruments/organ.csd):
//
//     tablew k(1), p4 + 128 * p5, gikeys
//
// The key click is that of a sine that starts at an arbitrary phase: each contact closes at its own moment within the 3
// ms of a key's travel. On release the contacts open in the reverse order, each in 5 ms: the click above 2 kHz is at
// least 15 dB below that of the onset. The percussion has a single envelope for all keys: it starts when a key of the upper manual
// is pressed while no other is held, and decays by 60 dB in 1 or 4 s.
//
// Choices of this model: the contacts' moments, the time in which they open, the percussion's recovery time (15 ms) and
// the wheels' start phases.
// Sources: gears from "Just Hammond", Xenharmonic Wiki; drawbar steps from Cherry Audio; taper, foldback, percussion
// and leakage from setBfree (https://github.com/pantherb/setBfree).
//
// Limit: in a B-3 the wheels of the lowest octave are cut for a wave with more harmonics; here all waves are sines.
//
// Category: Signal Generators:Models and Emulations

import OpcodeKit

@Opcode("TONEWHEELS", "Tonewheel organ: wheels, keys, drawbars and percussion")
struct ToneWheels: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The signals of the upper manual, the lower manual and the pedals. One key with one drawbar at 8 and a taper of 0
    /// dB has an amplitude of 1/16 of full scale.
    let upper, lower, pedals: AudioOutput
    /// The percussion of the upper manual, which does not go through the vibrato.
    let percussion: AudioOutput
    /// Number of the table of keys, with at least 384 elements: MIDI notes 36 to 96 of the upper manual, the same + 128
    /// of the lower manual, 36 to 60 + 256 of the pedals. A key is held while its element is above 0.
    let keys: InitInput
    /// Number of the table of drawbars, with at least 20 elements. Settings are clamped to 0 … 8 and reached within 5
    /// ms.
    let drawbars: InitInput
    /// Harmonic of the percussion: 2 or 3, anything else for off. While on, the percussion replaces the 1' drawbar of
    /// the upper manual. Default 0.
    @Default(0) let harmonic: ControlInput
    /// Volume of the percussion: nonzero for soft, 6 dB lower; with 0 the upper manual is 4.4 dB lower instead. Default
    /// 0.
    @Default(0) let soft: ControlInput
    /// Decay of the percussion: nonzero for fast, 60 dB in 1 s; 0 for slow, in 4 s. Default 1.
    @Default(1) let fast: ControlInput
    /// Key click, 0 to 1: contacts close instantly at 1, within 5 ms at 0. They open within 5 ms. Default 1.
    @Default(1) let click: ControlInput
    /// Leakage from neighbouring wheels, 0 to 10: at 1 each of them is at -40 dB. Default 1.
    @Default(1) let leakage: ControlInput
  }

  static let bufferCount = 12

  private var generator: ToneGenerator
  private var contacts: OrganContacts
  private var routes: OrganRoutes
  private var envelope: PercussionEnvelope
  /// The drawbar settings last read, and the switches of the percussion.
  private let settings: Buffer<Double>
  private var harmonic = 0.0
  private var isSoft = false
  private var isNew = true
  /// Whether closed contacts or drawbars have changed since the mix was built.
  private var isStale = true
  /// The amplitude of one wheel at gain 1.
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

  /// Plays some frames of the generator's present block.
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

  /// Applies the drawbars and switches when one of them has changed.
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

  /// The percussion's gain relative to a drawbar at 8, and its factor when soft; the factor of the upper manual and of
  /// the percussion when not soft.
  private static var percussionGain: Double { 3 }
  private static var softGain: Double { 0.5012 }
  private static var normalGain: Double { 0.60512 }
}

/// The percussion's envelope.
package struct PercussionEnvelope: BitwiseCopyable {
  private var gain = 0.0
  private var decay = 1.0
  /// The gain that the next attack starts with.
  private var charge = 1.0
  private var isHeld = false
  private let sampleRate: Double

  package init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// Sets, from the next frame on, whether any key is held and the rate of decay.
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

  /// Recovers for a number of frames while no key is held.
  package mutating func rest(_ frames: Int) {
    if gain < 1e-30 { gain = 0 }
    guard !isHeld else { return }
    charge = 1 + (charge - 1) * Math.exp(-Double(frames) / (0.015 * sampleRate))
  }
}
