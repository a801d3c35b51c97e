// aout SCANNER ain, kmode [, krate]
//
// The vibrato and chorus of a Hammond organ: a delay line of 18 LC sections, and a rotating capacitive scanner that
// picks up nine of its taps one after the other, up and down.
//
//     L i_k' = v_(k-1) - v_k        C_k v_k' = i_k - i_(k+1) - G_k v_k        k = 1 … 18
//     v_0 = (in - R i_1) / (1 + R G_0)        out = in - v_0 + d_j v_j
//
// L = 0.5 H; C = 4 nF, but 1 nF and 15 kohm at the end. R is 0 for vibrato and 22 kohm for chorus. With chorus, the
// voltage across R, which is hardly delayed, is added to that of the tap. The first six taps have voltage dividers of
// 27 and 68, 56 and 150, 39 and 150, 33 and 180, 18 and 180, 12 and 180 kohm, which give d and G. j goes through nine
// positions of the line,
//
//     V1, C1   0 1 2 3 4 5 6 7 8      V2, C2   0 1 2 4 6 8 10 11 12      V3, C3   0 1 3 6 9 12 15 17 18
//
// up and down past sixteen poles, 6.87 times per second. Between two poles their signals are crossfaded. A section
// delays by sqrt(L C) = 44.7 us, so V3 varies the delay by 0.8 ms, and the line passes frequencies up to 1 / (pi sqrt(L
// C)) = 7.1 kHz. Component values and taps: K. J. Werner, W. R. Dunkel and F. G. Germain, "A computational model of the
// Hammond organ vibrato/chorus using wave digital filters", DAFx 2016.
//
// Voltages and currents are computed half a step apart (leapfrog), with steps of at most 13.4 us: two per sample at
// 44.1 and 48 kHz, one from 75 kHz on. Sections k and k + 9 are in one register. Like the trapezoidal rule the method
// is of second order, but it has a seventh of the error, and no section waits for another. Between samples the input is
// interpolated with a parabola through the last three.
//
// When kmode changes, the old and the new sound of the same line are crossfaded, and R goes from one value to the other,
// so that a switch does not click. A change during a fade follows after it.
//
// Category: Signal Modifiers:Special Effects

import OpcodeKit

@Opcode("SCANNER", "Scanner vibrato and chorus of a Hammond organ")
struct Scanner: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The signal with vibrato or chorus.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Effect: 0 off, 1 to 3 vibrato V1, V2, V3, 4 to 6 chorus C1, C2, C3. Rounded and clamped; NaN counts as 0. A
    /// change while the note sounds is a fade of 20 ms, from 0 one of 30 ms.
    let mode: ControlInput
    /// Rotations of the scanner per second, at most 100. Default 6.87, also for values below 0 and NaN.
    @Default(-1) let rate: ControlInput
  }

  static let bufferCount = 1

  private var line: ScannerLine
  private var mode = 0
  /// The mode that is faded out, and the frame of the fade; the fade ends at `fadeFrames`.
  private var lastMode = 0
  private var fadeFrame: Int
  private let fadeFrames: Int
  private var isNew = true
  /// Position of the scanner, 0 up to 16 poles.
  private var pole = 0.0
  private let polesPerHertz: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    line = try ScannerLine(context)
    polesPerHertz = 16 / context.sampleRate
    fadeFrames = max(1, Int(0.02 * context.sampleRate))
    fadeFrame = fadeFrames
  }

  // Not inlined, so that passes of one frame have no second copy of the code.
  @inline(never)
  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let asked = Math.whole(Math.nearestWhole(min(arguments.mode.value, 6)), in: 0...6)
    if asked != mode && fadeFrame == fadeFrames { change(to: asked) }
    isNew = false
    let rate = arguments.rate.value
    let step = polesPerHertz * (rate >= 0 ? min(rate, 100) : 6.87)
    var frames = context.frames
    if _slowPath(fadeFrame < fadeFrames) {
      frames = fade(arguments, frames, step)..<frames.upperBound
    }
    guard mode > 0 else {
      for frame in frames { arguments.output[frame] = arguments.input[frame] }
      pole = Math.fraction((pole + step * Double(frames.count)) / 16) * 16
      return
    }
    let setting = (mode - 1) % 3
    var (near, far) = (-1, -1)
    var place = -1
    for frame in frames {
      let way = pole < 8 ? pole : 16 - pole
      let tap = min(Int(way), 7)
      if tap != place {
        place = tap
        (near, far) = (scannerNode(tap, setting), scannerNode(tap + 1, setting))
      }
      line.take(arguments.input[frame])
      let part = way - Double(tap)
      let (one, other) = (line.tap(near), line.tap(far))
      arguments.output[frame] = line.across + (one + (other - one) * part)
      pole += step
      if pole >= 16 { pole -= 16 }
    }
    line.settle()
  }

  /// Begins a mode: at once in the first k-cycle, with a fade later.
  @inline(never)
  private mutating func change(to asked: Int) {
    (lastMode, mode) = (mode, asked)
    if lastMode == 0 { line.clear() }
    if isNew || lastMode == 0 { line.setChorus(mode > 3) }
    guard !isNew else { return }
    // An empty line gets its input within 10 ms before it is heard.
    fadeFrame = lastMode == 0 ? -fadeFrames / 2 : 0
  }

  /// Plays frames of a fade; returns the first one after them.
  @inline(never)
  private mutating func fade(
    _ arguments: Arguments, _ frames: Range<Int>, _ step: Double
  ) -> Int {
    let end = min(frames.upperBound, frames.lowerBound + fadeFrames - fadeFrame)
    let isTurning = lastMode > 0 && mode > 0 && (lastMode > 3) != (mode > 3)
    for frame in frames.lowerBound..<end {
      fadeFrame += 1
      let part = Self.smooth(Double(fadeFrame) / Double(fadeFrames))
      if isTurning { line.setChorus(amount: mode > 3 ? part : 1 - part) }
      let input = arguments.input[frame]
      let half = Double(fadeFrames / 2)
      line.take(fadeFrame < 0 ? input * Self.smooth(1 + Double(fadeFrame) / half) : input)
      let (old, new) = (heard(lastMode, input), heard(mode, input))
      arguments.output[frame] = old + (new - old) * part
      pole += step
      if pole >= 16 { pole -= 16 }
    }
    if fadeFrame == fadeFrames && mode > 0 { line.setChorus(mode > 3) }
    line.settle()
    return end
  }

  /// From 0 to 1, for a way from 0 to 1, with no jump in the first two derivatives; 0 before.
  private static func smooth(_ way: Double) -> Double {
    way > 0 ? way * way * way * (10 + way * (6 * way - 15)) : 0
  }

  /// The present frame in a mode.
  private func heard(_ mode: Int, _ input: Double) -> Double {
    guard mode > 0 else { return input }
    let way = pole < 8 ? pole : 16 - pole
    let tap = min(Int(way), 7)
    let setting = (mode - 1) % 3
    let (one, other) = (
      line.tap(scannerNode(tap, setting)), line.tap(scannerNode(tap + 1, setting))
    )
    return line.across + (one + (other - one) * (way - Double(tap)))
  }
}

/// The position in the line (0 to 18) of scanner tap 0 to 8, for setting 0 to 2 (V1, V2, V3).
package func scannerNode(_ tap: Int, _ setting: Int) -> Int {
  switch setting {
  case 0: return tap
  case 1: return tap < 3 ? tap : tap < 7 ? 2 * tap - 2 : tap + 4
  default: return tap < 2 ? tap : tap < 7 ? 3 * tap - 3 : tap + 10
  }
}

/// The line's voltages and currents. Currents are multiplied by sqrt(L / C).
struct ScannerLine: BitwiseCopyable {
  /// Nine pairs each: voltages, currents, and for each section the factors `keep` and `gain` of a step.
  private let pairs: Buffer<Pair>
  /// Steps per sample, and the length of a step divided by sqrt(L C).
  private let steps: Int
  private let step: Double
  /// R and 1 / (1 + R G_0); the damping of the first current by R in half a step.
  private var resistance = 0.0
  private var first = 1.0
  private var damping = 0.0
  /// The last three input samples.
  private var x0 = 0.0, x1 = 0.0, x2 = 0.0
  /// v_0 and the voltage across R.
  private var voltage = 0.0
  private(set) var across = 0.0

  /// sqrt(L C) in seconds, and sqrt(L / C) in ohm.
  private static var time: Double { 4.472_135_954_999_579e-5 }
  private static var impedance: Double { 11_180.339_887_498_949 }

  init(_ context: Context) throws(OpcodeError) {
    let stepsPerSample = 0.3 * Self.time * context.sampleRate
    steps = Math.whole(1 / stepsPerSample, in: 0...1_000_000) + 1
    step = 1 / (Double(steps) * context.sampleRate * Self.time)
    pairs = try context.buffer(of: Pair.self, count: 36)
    for stage in 0..<9 {
      let (one, other) = (Self.stage(stage + 1, step), Self.stage(stage + 10, step))
      pairs[18 + stage] = Pair(one.keep, other.keep)
      pairs[27 + stage] = Pair(one.gain, other.gain)
    }
  }

  /// The factors with which a section's voltage changes in a step.
  private static func stage(_ number: Int, _ step: Double) -> (keep: Double, gain: Double) {
    let capacity = number == 18 ? 0.25 : 1
    let load = impedance * (number == 18 ? 1 / 15_000.0 : divider(number).load)
    let half = 0.5 * step * load / capacity
    return ((1 - half) / (1 + half), step / capacity / (1 + half))
  }

  /// A tap's divider: its gain, and its load on the line in 1 / ohm.
  @inline(__always)
  private static func divider(_ node: Int) -> (gain: Double, load: Double) {
    switch node {
    case 0: (68.0 / 95, 1 / 95_000.0)
    case 1: (150.0 / 206, 1 / 206_000.0)
    case 2: (150.0 / 189, 1 / 189_000.0)
    case 3: (180.0 / 213, 1 / 213_000.0)
    case 4: (180.0 / 198, 1 / 198_000.0)
    case 5: (180.0 / 192, 1 / 192_000.0)
    default: (1, 0)
    }
  }

  mutating func setChorus(_ isChorus: Bool) { setChorus(amount: isChorus ? 1 : 0) }

  /// Sets R to a part, 0 to 1, of what it is with chorus.
  mutating func setChorus(amount: Double) {
    resistance = amount * (22_000 / Self.impedance)
    first = 1 / (1 + resistance * Self.impedance * Self.divider(0).load)
    damping = 0.5 * step * resistance * first
  }

  /// The voltage of a tap at position 0 to 18.
  @inline(__always)
  func tap(_ node: Int) -> Double {
    let volts = node == 0 ? voltage : node < 10 ? pairs[node - 1][0] : pairs[node - 10][1]
    return volts * Self.divider(node).gain
  }

  /// Processes one sample.
  @inline(__always) @_semantics("no_performance_analysis")
  mutating func take(_ input: Double) {
    (x2, x1, x0) = (x1, x0, input)
    for number in 0..<steps {
      let way = Double(number) / Double(steps)
      let now = x1 * (1 - way * way) + 0.5 * way * (x0 * (way + 1) + x2 * (way - 1))
      advance(now * first)
    }
    // The current is half a step behind the voltages.
    let current =
      (pairs[9][0] + 0.5 * step * (x0 * first - pairs[0][0])) / (1 + damping)
    voltage = first * (x0 - resistance * current)
    across = x0 - voltage
  }

  /// Computes one step, for a voltage v_0 without load.
  @inline(__always) @_semantics("no_performance_analysis")
  private mutating func advance(_ open: Double) {
    let a = Pair(step)
    var before = pairs[0]
    let kept = pairs[9][0] * (1 - damping) + step * (open - before[0])
    pairs[9] = Pair(kept / (1 + damping), pairs[9][1] + step * (pairs[8][0] - before[1]))
    for stage in 1..<9 {
      let volts = pairs[stage]
      pairs[9 + stage] = pairs[9 + stage] + a * (before - volts)
      before = volts
    }
    for stage in 0..<8 {
      let difference = pairs[9 + stage] - pairs[10 + stage]
      pairs[stage] = pairs[stage] * pairs[18 + stage] + difference * pairs[27 + stage]
    }
    let difference = pairs[17] - Pair(pairs[9][1], 0)
    pairs[8] = pairs[8] * pairs[26] + difference * pairs[35]
  }

  mutating func clear() {
    for index in 0..<18 { pairs[index] = Pair(0) }
    (x0, x1, x2, voltage, across) = (0, 0, 0, 0, 0)
  }

  /// Resets the state to 0 when it is below -600 dB or not finite.
  @inline(__always) @_semantics("no_performance_analysis")
  mutating func settle() {
    let recent = pairs[8][1].magnitude + pairs[0][0].magnitude
    guard !(recent >= 1e-30 && recent < .infinity) else { return }
    var level = x0.magnitude + x1.magnitude + x2.magnitude
    for index in 0..<18 { level += pairs[index][0].magnitude + pairs[index][1].magnitude }
    if !(level >= 1e-30 && level < .infinity) { clear() }
  }
}
