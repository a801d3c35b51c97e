import OpcodeKit

/// A wave as tables with increasing numbers of harmonics, shared by all notes of an engine. They equal the tables that
/// Csound's `vco2` makes.
///
/// The tables have 0, 1, 2, 3 … harmonics; from 20 on each has 1.05 times as many as the previous one, up to 4096.
package struct BandlimitedTables: BitwiseCopyable {
  package enum Wave: Int, BitwiseCopyable {
    case saw, parabola, pulse, square, triangle

    /// Amplitudes of the cosine and the sine of a harmonic, numbered from 1.
    fileprivate func amplitudes(_ harmonic: Int) -> (cosine: Double, sine: Double) {
      let number = Double(harmonic)
      let pi = Double.pi
      switch self {
      case .saw: return (0, 2 / (pi * number))
      case .parabola: return (-4 / (pi * pi * number * number), 0)
      case .pulse: return (1, 0)
      case .square: return (0, harmonic & 1 == 0 ? 0 : 4 / (pi * number))
      case .triangle:
        guard harmonic & 1 != 0 else { return (0, 0) }
        return (0, (harmonic & 2 == 0 ? 8 : -8) / (pi * pi * number * number))
      }
    }

    fileprivate var name: StaticString {
      switch self {
      case .saw: "opcodekit.bandlimited.saw"
      case .parabola: "opcodekit.bandlimited.parabola"
      case .pulse: "opcodekit.bandlimited.pulse"
      case .square: "opcodekit.bandlimited.square"
      case .triangle: "opcodekit.bandlimited.triangle"
      }
    }

    /// Elements of the table with a number of harmonics.
    fileprivate func size(harmonics: Int) -> Int {
      guard harmonics > 0 else { return 16 }
      var (size, most) = (self == .pulse ? 256 : 128, 1)
      while harmonics > most {
        size *= 2
        most *= 4
      }
      return min(size, largestSize)
    }

    fileprivate var largestSize: Int { self == .pulse ? 16_384 : 8_192 }
  }

  package static let mostHarmonics = 4096

  /// First, for each number of harmonics, the start and the size of its table. Then the tables; each is followed by its
  /// own number of harmonics and that of the next table.
  private let memory: Buffer<Pair>

  /// The tables of a wave; the first note that uses the wave computes them [init pass].
  package init(_ wave: Wave, _ context: Context) throws(OpcodeError) {
    var length = Self.mostHarmonics + 1
    Self.forEachTable { length += wave.size(harmonics: $0) / 2 + 2 }
    let work = RealTransform.memoryLength(size: wave.largestSize)
    memory = try context.sharedBuffer(of: Pair.self, count: length + work, named: wave.name)
    guard memory[0][0] == 0 else { return }
    let rows = memory
    var (start, end) = (Self.mostHarmonics + 1, 0)
    var transform: RealTransform?
    Self.forEachTable { harmonics in
      let size = wave.size(harmonics: harmonics)
      for number in harmonics...Self.mostHarmonics {
        rows[number] = Pair(Double(start), Double(size))
      }
      if transform == nil || transform?.size != size {
        transform = RealTransform(size: size, memory: rows.part(from: length, count: work))
      }
      if let transform { Self.fill(rows, start, wave, harmonics, transform) }
      if end > 0 { rows[end] = Pair(rows[end][0], Double(harmonics)) }
      end = start + size / 2 + 1
      rows[end] = Pair(Double(harmonics), .infinity)
      start = end + 1
    }
  }

  /// Calls `body` with the number of harmonics of each table, in increasing order.
  private static func forEachTable(_ body: (Int) -> Void) {
    var harmonics = 0.0
    while harmonics <= Double(mostHarmonics) {
      body(Int(harmonics + 0.5))
      harmonics = harmonics * 1.05 - harmonics < 1 ? harmonics + 1 : harmonics * 1.05
    }
  }

  private static func fill(
    _ memory: Buffer<Pair>, _ start: Int, _ wave: Wave, _ harmonics: Int, _ transform: RealTransform
  ) {
    func number(_ k: Int) -> (Double, Double) {
      guard k > 0, k <= harmonics else { return (0, 0) }
      let (cosine, sine) = wave.amplitudes(k)
      return (cosine, -sine)
    }
    for k in stride(from: 0, through: transform.size / 2, by: 2) {
      let (one, other) = (number(k), number(k + 1))
      transform[k] = (Pair(one.0, other.0), Pair(one.1, other.1))
    }
    let result = transform.backward(level: Double(transform.size) / 2)
    for n in stride(from: 0, to: transform.size / 2, by: 2) {
      let (near, far) = transform.samples(result, at: n)
      memory[start + n] = near
      memory[start + n + 1] = far
    }
    memory[start + transform.size / 2] = Pair(memory[start][0], 0)
  }

  /// The table with the most harmonics up to a limit from 0 to `mostHarmonics`; how many harmonics it has, and how many
  /// the next table has.
  @inline(__always)
  func table(harmonics: Int) -> (elements: TableElements, harmonics: Double, next: Double) {
    let row = memory[harmonics]
    let (start, size) = (Int(row[0]), Int(row[1]))
    let numbers = memory[start &+ size &>> 1 &+ 1]
    return (memory.table(at: start, count: size), numbers[0], numbers[1])
  }
}
