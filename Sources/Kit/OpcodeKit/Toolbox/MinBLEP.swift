/// Jumps and corners without aliases: what has to be added to a waveform of straight lines that jumps or turns between two
/// samples, so that it has no frequencies that fold back.
///
/// ```swift
/// static var bufferCount: Int { 1 }
/// private var steps: MinBLEP
/// …
/// steps = try MinBLEP(context)
/// …
/// // The wave jumped by -2, a part `late` of a sample before this frame.
/// if wrapped { steps.jump(by: -2, before: late) }
/// arguments.output[frame] = wave - slope * steps.delay + steps.next()
/// ```
///
/// The result is the wave behind a lowpass of minimum phase, so that nothing has to be known in advance: flat within 0.02 dB
/// up to 0.417 of the sample rate, -80 dB from 0.583 on (20 and 28 kHz at 48 kHz). A jump or corner is over after 32
/// samples. Straight lines are later by `delay` samples, which is why their slope (change per sample) times `delay` has to
/// be subtracted; where no line is steep, that can be left out, for a constant error. A frequency that changes from sample
/// to sample changes the slope at each of them: tell that with `bend`, or the line is as if it had always been so steep.
///
/// Source: E. Brandt, "Hard sync without aliasing", Proceedings of the International Computer Music Conference, 2001. The
/// filter is a windowed sinc, made minimum-phase by its cepstrum (A. V. Oppenheim, R. W. Schafer, "Discrete-time signal
/// processing", chapter on cepstra). All opcodes of a plugin in one Csound share a table of 270 kB.
@frozen
public struct MinBLEP: BitwiseCopyable {
  /// What a jump of 1 lacks, and then what a corner by 1 does: for each of 129 places between two samples, the
  /// corrections of 32 samples.
  @usableFromInline let table: Buffer<Pair>
  /// The corrections of the samples to come, from `position` on; zero beyond the next 32.
  @usableFromInline let corrections: Buffer<Double>
  @usableFromInline var position = 0

  /// Numbers of memory for the corrections.
  @inlinable public static var memoryLength: Int { 64 }
  /// Pairs of memory for the table, and to compute it.
  @inlinable public static var tableLength: Int {
    2 * places * pairsPerPlace + ComplexTransform.memoryLength(size: 4096)
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

  /// By how many samples straight lines are late: the area that a jump of 1 lacks.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public var delay: Double { table[Self.places &* Self.pairsPerPlace][0] }

  /// The wave jumped by `height`, `fraction` of a sample (0 to 1) before the sample whose `next` comes.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func jump(by height: Double, before fraction: Double) { add(height, fraction, 0) }

  /// The wave's slope per sample changed by `slope`, `fraction` of a sample (0 to 1) before the sample whose `next` comes.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func corner(by slope: Double, before fraction: Double) {
    add(slope, fraction, Self.places &* Self.pairsPerPlace)
  }

  /// The wave's slope per sample changed by `slope` at the sample before: cheaper than `corner(by: slope, before: 1)`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func bend(by slope: Double) {
    let row = (2 &* Self.places &- 1) &* Self.pairsPerPlace
    let scale = Quad(slope)
    var pair = 0
    while pair < Self.pairsPerPlace {
      let target = position &+ 2 &* pair
      corrections.setQuad(
        corrections.quad(at: target) + scale * table.quad(at: row &+ pair), at: target)
      pair &+= 2
    }
  }

  /// Adds corrections from the table's half that begins at `start`.
  @inlinable @_noLocks @_noAllocation
  func add(_ size: Double, _ fraction: Double, _ start: Int) {
    let place = (fraction > 0 ? min(fraction, 1) : 0) * Double(Self.places &- 1)
    let whole = min(Math.truncated(place), Self.places &- 2)
    let (share, scale) = (Quad(place - Double(whole)), Quad(size))
    let row = start &+ whole &* Self.pairsPerPlace
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
        from: 2 * places * pairsPerPlace, count: ComplexTransform.memoryLength(size: size)))
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
    // What a jump lacks at each point, and the area of what it lacks from there on.
    let end = sum
    var area = 0.0
    before = 0
    for n in stride(from: length - 1, through: 0, by: -1) {
      var numbers = transform[n & ~1]
      let lack = (n & 1 == 0 ? numbers.imaginary[0] : numbers.imaginary[1]) / end - 1
      area -= 0.5 * (lack + before) / Double(perSample)
      before = lack
      numbers.real = n & 1 == 0 ? Pair(lack, numbers.real[1]) : Pair(numbers.real[0], lack)
      numbers.imaginary =
        n & 1 == 0 ? Pair(area, numbers.imaginary[1]) : Pair(numbers.imaginary[0], area)
      transform[n & ~1] = numbers
    }
    // Between the points on a cubic.
    func value(_ place: Int, _ sample: Int, ofCorner: Bool) -> Double {
      let time = Double(perSample * sample) + Double(place * perSample) / Double(places - 1)
      let whole = Math.truncated(time)
      func point(_ n: Int) -> Double {
        // Before a jump all is lacking; before a corner the area grows by that.
        if n < 0 {
          return ofCorner ? transform[0].imaginary[0] + Double(-n) / Double(perSample) : -1
        }
        guard n < length else { return 0 }
        let numbers = transform[n & ~1]
        return ofCorner ? numbers.imaginary[n & 1] : numbers.real[n & 1]
      }
      return DelayTap(delay: 1 + time - Double(whole)).smoothValue(
        point(whole - 1), point(whole), point(whole + 1), point(whole + 2))
    }
    for row in 0..<2 * places {
      let (place, ofCorner) = (row < places ? row : row - places, row >= places)
      for pair in 0..<pairsPerPlace {
        table[row * pairsPerPlace + pair] = Pair(
          value(place, 2 * pair, ofCorner: ofCorner),
          value(place, 2 * pair + 1, ofCorner: ofCorner))
      }
    }
  }
}
