import OpcodeKit

/// Combs with a lowpass in their loops in parallel, then allpasses in series.
struct ReverbLines: BitwiseCopyable {
  /// Lengths of lines, and how slowly they decay.
  enum Lengths: BitwiseCopyable {
    case usualCombs, usualAllpasses
    case table(FunctionTable, count: Double)

    /// How many lines there are; a table has at most half as many as elements.
    func count() throws(OpcodeError) -> Int {
      switch self {
      case .usualCombs: return 6
      case .usualAllpasses: return 5
      case .table(let table, let count):
        guard count < Double(table.count / 2 + 1) else {
          throw OpcodeError(
            argument: "the number of lines", is: count,
            mustBe: "at most half the length of their table")
        }
        return Int(count)
      }
    }

    /// Length of a line in frames, and ln 0.001 times its length in seconds, divided by its weight.
    func line(_ number: Int, _ sampleRate: Double) throws(OpcodeError) -> (Int, decay: Double) {
      let (length, weight): (Double, Double)
      switch self {
      case .usualCombs:
        let frames: (Double, Double, Double, Double, Double, Double) =
          (0.055887056, 0.062439062, 0.072813073, 0.080067080, 0.087789088, 0.093561094)
        let weights: (Double, Double, Double, Double, Double, Double) =
          (0.822, 0.802, 0.773, 0.753, 0.753, 0.753)
        (length, weight) = (Self.element(number, frames), Self.element(number, weights))
      case .usualAllpasses:
        length = Self.element(
          number, (0.013533014, 0.0044070044, 0.0014430014, 0.0023010023, 0.0016770017, 0))
        weight = 0.7
      case .table(let table, let count):
        (length, weight) = (table[number], table[Int(count) + number])
      }
      let asked = length < 0 ? -length : length * sampleRate
      guard asked < 0x1p29, length >= 0 || asked >= 1 else {
        throw OpcodeError(
          argument: "a line's length", is: length, mustBe: "at least a frame, and at most 4 GB")
      }
      let frames = length < 0 ? Int(asked) : Self.prime(from: Int(asked))
      let decay = -6.907755278982137 * (Double(frames) / sampleRate) / weight
      return (frames, decay <= 0 ? decay : -.infinity)
    }

    private static func element(
      _ number: Int, _ all: (Double, Double, Double, Double, Double, Double)
    ) -> Double {
      withUnsafeBytes(of: all) { $0.load(fromByteOffset: 8 * number, as: Double.self) }
    }

    /// The first odd prime from a number on. Above 3571 numbers without divisors below the whole part of their root count,
    /// too, as in Csound's `nreverb`.
    private static func prime(from number: Int) -> Int {
      var candidate = max(number | 1, 3)
      while true {
        let last = Int(Math.sqrt(Double(candidate))) - (candidate > 3571 ? 1 : 0)
        var divisor = 3
        while divisor <= last, candidate % divisor != 0 { divisor += 2 }
        if divisor > last { return candidate }
        candidate += 2
      }
    }
  }

  static var bufferCount: Int { 4 }

  /// A comb or an allpass.
  private struct Line: BitwiseCopyable {
    /// Where it begins in the memory, and how many frames it has.
    let start, count: Int
    /// ln c for a time of one second.
    let decay: Double
    /// The index in the memory where it is read and written.
    var place: Int
    /// c, with (1 - d) for a comb, and y.
    var gain = 0.0
    var y = 0.0

    init(start: Int, count: Int, decay: Double) {
      (self.start, self.count, self.decay, place) = (start, count, decay, start)
    }

    /// Frames until it wraps.
    @inline(__always) var ahead: Int { start &+ count &- place }
    @inline(__always) mutating func advance(by run: Int) {
      place &+= run
      if place == start &+ count { place = start }
    }
  }

  private let memory: Buffer<Double>
  /// Combs, then some that are not heard, so that they are a multiple of six, then allpasses.
  private let lines: Buffer<Line>
  private let combCount, allpassStart: Int
  /// What comes in and what goes out in a batch, which is no longer than the shortest comb: then all that goes out is
  /// known at its beginning.
  private let inputs, outputs: Buffer<Double>
  private let batch: Int
  /// Frames of the batch that are over.
  private var used = 0
  private var tuned = (time: 0.0, damping: 0.0)
  private var rest: DelayRest

  init(
    _ combs: Lengths, _ allpasses: Lengths, _ context: Context
  ) throws(OpcodeError) {
    let rate = context.sampleRate
    let combCount = try combs.count()
    let allpassStart = (combCount + 5) / 6 * 6
    (self.combCount, self.allpassStart) = (combCount, allpassStart)
    lines = try context.buffer(0, of: Line.self, count: allpassStart + allpasses.count())
    var (total, shortest, longest) = (0, 64, 0)
    for number in 0..<lines.count {
      var (count, decay) = (shortest, -Double.infinity)
      if number < combCount {
        (count, decay) = try combs.line(number, rate)
        shortest = min(shortest, count)
      } else if number >= allpassStart {
        (count, decay) = try allpasses.line(number - allpassStart, rate)
      }
      lines[number] = Line(start: total, count: count, decay: decay)
      total += count
      longest = max(longest, count)
    }
    batch = shortest
    memory = try context.buffer(1, count: total)
    inputs = try context.buffer(2, count: batch)
    outputs = try context.buffer(3, count: batch)
    rest = DelayRest(longest: 2 * longest + batch)
  }

  // Not inlined, so that there is one copy of the code.
  @inline(never) @_semantics("no_performance_analysis")
  mutating func perform(
    _ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>, time: Double, damping: Double
  ) {
    var energy = 0.0
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let run = min(frames.upperBound &- frame, batch &- used)
      var (energies, others) = (Quad(0), Quad(0))
      var index = 0
      while index &+ 4 <= run {
        let (sound, out) = (input.quad(at: frame &+ index), outputs.quad(at: used &+ index))
        inputs.setQuad(sound, at: used &+ index)
        output.setQuad(out, at: frame &+ index)
        (energies, others) = (energies + sound * sound, others + out * out)
        index &+= 4
      }
      while index < run {
        let (sound, out) = (input[frame &+ index], outputs[used &+ index])
        inputs[used &+ index] = sound
        output[frame &+ index] = out
        energy += sound * sound + out * out
        index &+= 1
      }
      energies = energies + others
      energy += (energies[0] + energies[1]) + (energies[2] + energies[3])
      used &+= run
      frame &+= run
      if used == batch { turn(time > 0 ? time : 0.001, damping > 0 ? min(damping, 1) : 0) }
    }
    guard rest.clears(energy, after: frames.count) else { return }
    for index in 0..<memory.count { memory[index] = 0 }
    for index in 0..<batch { (inputs[index], outputs[index]) = (0, 0) }
    for number in 0..<allpassStart { lines[number].y = 0 }
  }

  /// Ends a batch: writes what has come in, and computes what goes out in the next one.
  @inline(__always) @_semantics("no_performance_analysis")
  private mutating func turn(_ time: Double, _ damping: Double) {
    tune(time, damping)
    used = 0
    for six in 0..<allpassStart / 6 { writeSix(6 &* six) }
    for index in 0..<batch { outputs[index] = 0 }
    for number in 0..<combCount { read(lines[number]) }
    for number in allpassStart..<lines.count { pass(number) }
  }

  /// Applies another time or damping. What the lowpasses put out, (1 - d) y, stays as it is.
  @inline(__always) @_semantics("no_performance_analysis")
  private mutating func tune(_ time: Double, _ damping: Double) {
    guard time != tuned.time || damping != tuned.damping else { return }
    let open = 1 - damping
    let scale = open > 0 ? (1 - tuned.damping) / open : 0
    tuned = (time, damping)
    for number in 0..<lines.count {
      let size = Math.exp(lines[number].decay / time)
      // Nothing becomes subnormal.
      let c = size > 1e-16 ? size : 0
      lines[number].gain = number < allpassStart ? c * open : c
      lines[number].y *= scale
    }
  }

  /// Writes a batch into six combs.
  @inline(__always) @_semantics("no_performance_analysis")
  private func writeSix(_ number: Int) {
    let (memory, inputs, batch, lines, d) = (memory, inputs, batch, lines, Pair(tuned.damping))
    func two(_ place: Int) -> (Line, Line) { (lines[number &+ place], lines[number &+ place &+ 1]) }
    let (one, other, third) = (two(0), two(2), two(4))
    let (g0, g1) = (Pair(one.0.gain, one.1.gain), Pair(other.0.gain, other.1.gain))
    let g2 = Pair(third.0.gain, third.1.gain)
    var (y0, y1) = (Pair(one.0.y, one.1.y), Pair(other.0.y, other.1.y))
    var y2 = Pair(third.0.y, third.1.y)
    var index = 0
    while index < batch {
      var run = batch &- index
      for place in 0..<6 { run = min(run, lines[number &+ place].ahead) }
      let (a, b) = (lines[number].place, lines[number &+ 1].place)
      let (c, e) = (lines[number &+ 2].place, lines[number &+ 3].place)
      let (f, g) = (lines[number &+ 4].place, lines[number &+ 5].place)
      for frame in 0..<run {
        let input = Pair(inputs[index &+ frame])
        y0 = Pair(memory[a &+ frame], memory[b &+ frame]) + y0 * d
        y1 = Pair(memory[c &+ frame], memory[e &+ frame]) + y1 * d
        y2 = Pair(memory[f &+ frame], memory[g &+ frame]) + y2 * d
        let (v0, v1, v2) = (y0 * g0 + input, y1 * g1 + input, y2 * g2 + input)
        (memory[a &+ frame], memory[b &+ frame]) = (v0[0], v0[1])
        (memory[c &+ frame], memory[e &+ frame]) = (v1[0], v1[1])
        (memory[f &+ frame], memory[g &+ frame]) = (v2[0], v2[1])
      }
      index &+= run
      for place in 0..<6 { lines[number &+ place].advance(by: run) }
    }
    (lines[number].y, lines[number &+ 1].y) = (y0[0], y0[1])
    (lines[number &+ 2].y, lines[number &+ 3].y) = (y1[0], y1[1])
    (lines[number &+ 4].y, lines[number &+ 5].y) = (y2[0], y2[1])
  }

  /// Adds what comes out of a comb in the next batch.
  @inline(__always) @_semantics("no_performance_analysis")
  private func read(_ comb: Line) {
    let (memory, outputs, batch) = (memory, outputs, batch)
    var line = comb
    var index = 0
    while index < batch {
      let (run, place) = (min(batch &- index, line.ahead), line.place)
      var frame = 0
      while frame < run &- 3 {
        let sum = outputs.quad(at: index &+ frame) + memory.quad(at: place &+ frame)
        outputs.setQuad(sum, at: index &+ frame)
        frame &+= 4
      }
      while frame < run {
        outputs[index &+ frame] += memory[place &+ frame]
        frame &+= 1
      }
      line.advance(by: run)
      index &+= run
    }
  }

  /// Sends the sum through an allpass.
  @inline(__always) @_semantics("no_performance_analysis")
  private func pass(_ number: Int) {
    let (memory, outputs, batch) = (memory, outputs, batch)
    var line = lines[number]
    let gain = Quad(line.gain)
    var index = 0
    while index < batch {
      let (run, place) = (min(batch &- index, line.ahead), line.place)
      var frame = 0
      while frame < run &- 3 {
        let (output, stored) = AllpassLoop.passed(
          memory.quad(at: place &+ frame), outputs.quad(at: index &+ frame), gain)
        memory.setQuad(stored, at: place &+ frame)
        outputs.setQuad(output, at: index &+ frame)
        frame &+= 4
      }
      while frame < run {
        let (output, stored) = AllpassLoop.passed(
          Pair(memory[place &+ frame]), Pair(outputs[index &+ frame]), Pair(line.gain))
        (memory[place &+ frame], outputs[index &+ frame]) = (stored[0], output[0])
        frame &+= 1
      }
      line.advance(by: run)
      index &+= run
    }
    lines[number] = line
  }
}
