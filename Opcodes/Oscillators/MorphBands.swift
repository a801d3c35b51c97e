import OpcodeKit

/// The tables at (0,0), (1,0), (0,1) and (1,1).
struct MorphTables: BitwiseCopyable {
  let lowerLeft, lowerRight, upperLeft, upperRight: FunctionTable

  subscript(number: Int) -> FunctionTable {
    switch number {
    case 0: lowerLeft
    case 1: lowerRight
    case 2: upperLeft
    default: upperRight
    }
  }
}

/// Four cyclic tables with fewer and fewer harmonics, of which at each frequency one has no harmonic that is heard as an
/// alias.
///
/// These levels have 0 (the mean alone), 1, 2, 3, 4, 6, 8, 12, 16 … 1024 harmonics. Between its points a level is a
/// B-spline of fifth degree, of which `next` computes a value. The points c come from a table's spectrum X, divided by that
/// of the B-spline:
///
///     c = inverse transform of X[k] / (sin(π k / P) / (π k / P))^6,   P points
///
/// So harmonics keep their amplitudes, and what interpolation adds to harmonic k is weaker by (k / (P - k))^6: by 76 dB at
/// the worst, where a level has 16 points for three cycles of its highest harmonic (M. Unser, "Splines: a perfect fit for
/// signal and image processing", IEEE Signal Processing Magazine 16(6), 1999).
struct MorphBands: BitwiseCopyable {
  /// One level after the other; for each point the numbers of the four tables.
  private let points: Buffer<Double>
  /// The level with all harmonics.
  private let top: Int

  /// Points of a level. Four come before and after them, of which two and three are read.
  private static func size(_ level: Int) -> Int { max(512, 8 << (level / 2)) }
  private static func harmonics(_ level: Int) -> Int {
    guard level > 1 else { return level }
    return level & 1 == 0 ? 1 << (level / 2) : 3 << (level / 2 - 1)
  }
  private static var mostHarmonics: Int { 1024 }

  /// Where a level's points are.
  struct Place: BitwiseCopyable {
    fileprivate let start: Int
    fileprivate let size: Double
  }

  /// Levels of four tables, in the opcode's first three buffers [init pass].
  init(_ tables: MorphTables, _ context: Context) throws(OpcodeError) {
    var longest = 16
    for number in 0..<4 {
      try Self.check(tables[number])
      longest = max(longest, tables[number].count)
    }
    var top = 6
    while Self.harmonics(top) < min(longest / 2, Self.mostHarmonics) { top += 1 }
    self.top = top
    points = try context.buffer(0, count: 4 * Self.start(top + 1))
    let row = Self.harmonics(top) + 1
    let spectra = try context.buffer(1, of: Pair.self, count: 5 * row)
    let factors = spectra.part(from: 4 * row, count: row)
    let memory = try context.buffer(
      2, of: Pair.self,
      count: RealTransform.memoryLength(size: max(longest, Self.size(top))))
    // First a round for each table, then one for each level, so that the code is there once.
    var transform = RealTransform(size: tables[0].count, memory: memory)
    for round in 0..<(4 + top + 1) {
      let size = round < 4 ? tables[round].count : Self.size(round - 4)
      if size != transform.size { transform = RealTransform(size: size, memory: memory) }
      if round < 4 {
        Self.analyse(tables[round], spectra.part(from: round * row, count: row), transform)
      } else {
        Self.fill(factors, Self.harmonics(round - 4), size)
        for table in 0..<4 {
          fill(
            round - 4, table, spectra.part(from: table * row, count: row), factors, transform)
        }
      }
    }
  }

  @inline(never)
  private static func check(_ table: FunctionTable) throws(OpcodeError) {
    guard table.count >= 16, table.count <= 65_536, table.count & (table.count - 1) == 0 else {
      throw OpcodeError(
        argument: "the length of a table", is: Double(table.count),
        mustBe: "a power of two from 16 to 65536 where iquality is 1 or 2")
    }
  }

  /// A table's harmonics from 0 on, as many as `spectrum` has room for.
  private static func analyse(
    _ table: FunctionTable, _ spectrum: Buffer<Pair>, _ transform: RealTransform
  ) {
    let samples = transform.samples
    for index in 0..<table.count { samples[index] = table[index] }
    transform.forward()
    let scale = Pair(1 / Double(table.count))
    // Without the one at half of the length, whose phase is not known.
    for k in stride(from: 0, to: min(spectrum.count, table.count / 2), by: 2) {
      let (real, imaginary) = transform[k]
      spectrum[k] = scale * .firsts(real, imaginary)
      if k + 1 < spectrum.count { spectrum[k + 1] = scale * .seconds(real, imaginary) }
    }
  }

  /// Computes the points of one table's level.
  @inline(never)
  private func fill(
    _ level: Int, _ table: Int, _ spectrum: Buffer<Pair>, _ factors: Buffer<Pair>,
    _ transform: RealTransform
  ) {
    let (size, start, harmonics) = (transform.size, Self.start(level), Self.harmonics(level))
    // Two bins at a time, as the transform has them.
    for k in stride(from: 0, through: size / 2, by: 2) {
      var bins = (Pair(0), Pair(0))
      if k <= harmonics { bins.0 = spectrum[k] * factors[k] }
      if k < harmonics { bins.1 = spectrum[k + 1] * factors[k + 1] }
      transform[k] = (.firsts(bins.0, bins.1), .seconds(bins.0, bins.1))
    }
    let result = transform.backward(level: Double(size))
    for n in stride(from: -2, to: size / 2 + 2, by: 2) {
      let (near, far) = transform.samples(result, at: n & (size / 2 - 1))
      let place = 4 * (start + 2 * n) + table
      points[place] = near[0]
      points[place + 4] = near[1]
      points[place + 8] = far[0]
      points[place + 12] = far[1]
    }
  }

  /// What the harmonics of a level of `size` points are multiplied by.
  private static func fill(_ factors: Buffer<Pair>, _ harmonics: Int, _ size: Int) {
    for harmonic in 0...harmonics {
      let angle = Double.pi * Double(harmonic) / Double(size)
      let response = harmonic > 0 ? Math.sin(angle) / angle : 1
      let square = response * response
      factors[harmonic] = Pair(1 / (120 * square * square * square))
    }
  }

  /// Where a level's first point is.
  private static func start(_ level: Int) -> Int {
    var start = 4
    for lower in 0..<level { start += size(lower) + 8 }
    return start
  }

  private static func place(_ level: Int) -> Place {
    Place(start: start(level), size: Double(size(level)))
  }

  /// What is played at one frequency: a level and, while its highest harmonics fade, the one below it.
  struct Levels: BitwiseCopyable {
    fileprivate let frequency: Double
    let main, lower: Place
    /// The part of the first one, 0 to 1.
    let share: Double

    /// Those for no frequency.
    static var none: Levels {
      let place = Place(start: 0, size: 1)
      return Levels(frequency: .nan, main: place, lower: place, share: 1)
    }

    /// Whether they are those for a frequency.
    @inline(__always)
    func fit(_ frequency: Double) -> Bool { frequency == self.frequency }
  }

  /// The levels for a frequency in cycles per sample. No harmonic is above 7/12 sr, so no alias is below 5/12 sr, which is
  /// 20 kHz at 48 kHz. A level's highest harmonics fade while the frequency rises by a sixteenth.
  @inline(never)
  func levels(at frequency: Double) -> Levels {
    let count = (7.0 / 12) / frequency.magnitude
    var level = top
    while level > 0, Double(Self.harmonics(level)) > count { level -= 1 }
    let excess = count / Double(Self.harmonics(level)) - 1
    return Levels(
      frequency: frequency, main: Self.place(level), lower: Self.place(max(level - 1, 0)),
      share: excess < 1.0 / 16 ? 16 * excess : 1)
  }

  /// The tables at a phase from 0 up to 1.
  @inline(__always) @_semantics("no_performance_analysis")
  func next(_ place: Place, _ phase: Double) -> Quad {
    let position = phase * place.size
    let index = Math.truncated(position)
    let f = position - Double(index)
    let g = 1 - f
    let (f2, g2) = (f * f, g * g)
    let (f4, g4) = (f2 * f2, g2 * g2)
    // The B-spline's pieces, times 120; the points are divided by that.
    let (before2, after3) = (g4 * g, f4 * f)
    let before1 = Self.outer(f, f2)
    let after2 = Self.outer(g, g2)
    let left = Self.inner(f, f2)
    let right = Self.inner(g, g2)
    let start = 4 &* (place.start &+ index &- 2)
    let ends =
      points.quad(at: start) * Quad(before2) + points.quad(at: start &+ 20) * Quad(after3)
    let outer =
      points.quad(at: start &+ 4) * Quad(before1) + points.quad(at: start &+ 16) * Quad(after2)
    let inner =
      points.quad(at: start &+ 8) * Quad(left) + points.quad(at: start &+ 12) * Quad(right)
    return (ends + outer) + inner
  }

  /// 26 - 50 f + 20 f² + 20 f³ - 20 f⁴ + 5 f⁵
  @inline(__always)
  private static func outer(_ f: Double, _ f2: Double) -> Double {
    (26 - 50 * f) + f2 * ((20 + 20 * f) + f2 * (5 * f - 20))
  }

  /// 66 - 60 f² + 30 f⁴ - 10 f⁵
  @inline(__always)
  private static func inner(_ f: Double, _ f2: Double) -> Double {
    66 + f2 * (f2 * (30 - 10 * f) - 60)
  }
}
