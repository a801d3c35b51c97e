/// Jumps without aliases: what has to be added to a waveform that jumps between two samples, so that the jump has no
/// frequencies that fold back.
///
/// ```swift
/// static var bufferCount: Int { 1 }
/// private var steps: MinBLEP
/// …
/// steps = try MinBLEP(context)
/// …
/// // The wave jumped by -2, a part `late` of a sample before this frame.
/// if wrapped { steps.jump(by: -2, before: late) }
/// arguments.output[frame] = wave + steps.next()
/// ```
///
/// The corrected jump is the step response of a lowpass filter of minimum phase, so that nothing has to be known in
/// advance: flat within 0.02 dB up to 0.417 of the sample rate, -80 dB from 0.583 on (20 and 28 kHz at 48 kHz), and over
/// after 32 samples. A ramp is not corrected. Beside a filtered one it is early by `delay` samples, a constant: subtract its
/// slope per sample times `delay` where that matters.
///
/// Source: E. Brandt, "Hard sync without aliasing", Proceedings of the International Computer Music Conference, 2001. The
/// filter is a windowed sinc, made minimum-phase by its cepstrum (A. V. Oppenheim, R. W. Schafer, "Discrete-time signal
/// processing", chapter on cepstra). All opcodes of a plugin in one Csound share a table of 240 kB.
@frozen
public struct MinBLEP: BitwiseCopyable {
  /// What a step of 1 lacks: for each of 129 places of the jump between two samples, the corrections of 32 samples.
  @usableFromInline let table: Buffer<Pair>
  /// The corrections of the samples to come, from `position` on; zero beyond the next 32.
  @usableFromInline let corrections: Buffer<Double>
  @usableFromInline var position = 0

  /// Numbers of memory for the corrections.
  @inlinable public static var memoryLength: Int { 64 }
  /// Pairs of memory for the table, and to compute it.
  @inlinable public static var tableLength: Int {
    places * pairsPerPlace + ComplexTransform.memoryLength(size: 4096)
  }

  @inlinable static var places: Int { 129 }
  @inlinable static var pairsPerPlace: Int { 16 }

  /// Corrections in the opcode's next buffer, or in the one with a number; the table is computed by the first opcode that
  /// needs it [init pass].
  ///
  /// Throws as `Context.buffer` and `Context.sharedBuffer` do.
  @inlinable
  public init(_ context: Context, buffer number: Int? = nil) throws(OpcodeError) {
    let table = try context.sharedBuffer(
      of: Pair.self, count: Self.tableLength, named: "OpcodeKit.MinBLEP.1")
    // What a jump at the sample itself lacks there is almost 1.
    if table[0][0] == 0 { Self.fill(table) }
    self.init(
      table: table, memory: try context.buffer(number, count: Self.memoryLength))
  }

  /// Corrections in zeroed memory of `memoryLength` numbers; `table` has been filled.
  @inlinable
  public init(table: Buffer<Pair>, memory: Buffer<Double>) {
    (self.table, corrections) = (table, memory)
  }

  /// By how many samples the corrected jumps are late: the area between them and the jumps themselves.
  @inlinable public var delay: Double {
    // A half of the first and the last number: the area under straight lines between them.
    var sum = 0.0
    for place in 0..<Self.places {
      let share = place == 0 || place == Self.places - 1 ? 0.5 : 1.0
      for pair in 0..<Self.pairsPerPlace {
        let both = table[place * Self.pairsPerPlace + pair]
        sum -= share * (both[0] + both[1])
      }
    }
    return sum / Double(Self.places - 1)
  }

  /// The wave jumped by `height`, `fraction` of a sample (0 to 1) before the sample whose `next` comes.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func jump(by height: Double, before fraction: Double) {
    let place = (fraction > 0 ? min(fraction, 1) : 0) * Double(Self.places &- 1)
    let whole = min(Math.truncated(place), Self.places &- 2)
    let (share, scale) = (Quad(place - Double(whole)), Quad(height))
    let row = whole &* Self.pairsPerPlace
    var pair = 0
    while pair < Self.pairsPerPlace {
      let value = table.quad(at: row &+ pair)
      let between = value + share * (table.quad(at: row &+ Self.pairsPerPlace &+ pair) - value)
      let target = position &+ 2 &* pair
      corrections.setQuad(corrections.quad(at: target) + scale * between, at: target)
      pair &+= 2
    }
  }

  /// What to add to the wave at this sample.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func next() -> Double {
    let correction = corrections[position]
    position &+= 1
    if _slowPath(position == 32) {
      var index = 0
      while index < 32 {
        corrections.setQuad(corrections.quad(at: index &+ 32), at: index)
        corrections.setQuad(Quad(0), at: index &+ 32)
        index &+= 4
      }
      position = 0
    }
    return correction
  }

  /// Drops the corrections of earlier jumps.
  @inlinable
  public mutating func clear() {
    for index in 0..<64 { corrections[index] = 0 }
    position = 0
  }

  /// Computes the table in zeroed memory of `tableLength` pairs [init pass].
  @inlinable
  public static func fill(_ table: Buffer<Pair>) {
    let size = 4096
    let perSample = 16
    let length = 32 * perSample
    var transform = ComplexTransform(
      size: size,
      memory: table.part(
        from: places * pairsPerPlace, count: ComplexTransform.memoryLength(size: size)))
    // The windowed sinc, 32 samples long.
    let beta = 8.0
    func windowed(_ n: Int) -> Double {
      guard n <= length else { return 0 }
      let time = Double(n - length / 2) / Double(perSample)
      let sinc = time == 0 ? 1 : Math.sin(Double.pi * time) / (Double.pi * time)
      return sinc * Window.kaiser(n, of: length, beta: beta) / Double(perSample)
    }
    for n in stride(from: 0, to: size, by: 2) {
      transform[n] = (Pair(windowed(n), windowed(n + 1)), Pair(0))
    }
    transform.forward()
    // The logarithm of the magnitude, at least -100 dB; then its cepstrum, folded to positive times; back again.
    for k in stride(from: 0, to: size, by: 2) {
      let (real, imaginary) = transform[k]
      let magnitude = (real * real + imaginary * imaginary).squareRoot
      let log = Pair(Math.log(max(magnitude[0], 1e-5)), Math.log(max(magnitude[1], 1e-5)))
      transform[k] = (log, Pair(0))
    }
    transform.backward()
    for n in stride(from: 0, to: size, by: 2) {
      let share = 1 / Double(size)
      let first = n == 0 || n == size / 2 ? share : n < size / 2 ? 2 * share : 0
      let second = n + 1 < size / 2 ? 2 * share : 0
      transform[n] = (transform[n].real * Pair(first, second), Pair(0))
    }
    transform.forward()
    for k in stride(from: 0, to: size, by: 2) {
      let (real, imaginary) = transform[k]
      let (one, other) = (Math.exp(real[0]), Math.exp(real[1]))
      transform[k] = (
        Pair(one * Math.cos(imaginary[0]), other * Math.cos(imaginary[1])),
        Pair(one * Math.sin(imaginary[0]), other * Math.sin(imaginary[1]))
      )
    }
    transform.backward()
    // Its running integral, in place of the imaginary parts.
    var total = 0.0
    for n in 0..<length { total += transform[n & ~1].real[n & 1] }
    var (sum, before) = (0.0, 0.0)
    for n in stride(from: 0, to: length, by: 2) {
      let impulse = transform[n].real
      let first = sum + 0.5 * (before + impulse[0]) / total
      let second = first + 0.5 * (impulse[0] + impulse[1]) / total
      (sum, before) = (second, impulse[1])
      transform[n] = (impulse, Pair(first, second))
    }
    let end = sum
    func lack(_ n: Int) -> Double {
      n < 0 ? -1 : n < length ? transform[n & ~1].imaginary[n & 1] / end - 1 : 0
    }
    // Between the points of the integral, on a cubic.
    func value(_ place: Int, _ sample: Int) -> Double {
      let time = Double(perSample * sample) + Double(place * perSample) / Double(places - 1)
      let whole = Math.truncated(time)
      return DelayTap(delay: 1 + time - Double(whole)).smoothValue(
        lack(whole - 1), lack(whole), lack(whole + 1), lack(whole + 2))
    }
    for place in 0..<places {
      for pair in 0..<pairsPerPlace {
        table[place * pairsPerPlace + pair] = Pair(
          value(place, 2 * pair), value(place, 2 * pair + 1))
      }
    }
  }
}
