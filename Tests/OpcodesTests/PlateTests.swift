import Foundation
import Testing

/// The equation of a plate on a grid, with the difference operator written out and zeros around the plate.
private struct PlainPlate {
  let columns, rows: Int
  let boundary: Int
  let ratio: Double
  let aspect, eta, keep, stiff, viscous: Double
  var now, before: [[Double]]

  init(
    boundary: Int, aspect: Double, stiffness: Double, decay: Double, loss: Double, rate: Double
  ) {
    let dt = 1 / rate
    let smallest = 2 * sqrt(dt * (loss + hypot(loss, stiffness)))
    let steps = floor(1 / smallest)
    let stepsAlong = floor(aspect * steps)
    (columns, rows) = (Int(steps) + 1, Int(stepsAlong) + 1)
    self.boundary = boundary
    self.aspect = aspect
    ratio = pow((1 / steps) / (aspect / stepsAlong), 2)
    let sigma = 2 * rate * (pow(10, 3 * dt / decay) - 1)
    eta = 1 / (1 + sigma * dt)
    keep = 1 - sigma * dt
    stiff = pow(dt * stiffness * steps * steps, 2)
    viscous = 2 * loss * dt * steps * steps
    now = Array(repeating: Array(repeating: 0, count: columns + 4), count: rows + 4)
    before = now
  }

  /// dx² times the Laplace operator, 0 on the rim of the array.
  private func laplacian(_ u: [[Double]]) -> [[Double]] {
    var result = u.map { $0.map { _ in 0.0 } }
    for row in 1..<(rows + 3) {
      for column in 1..<(columns + 3) {
        let point = u[row][column]
        let vertical = u[row - 1][column] + u[row + 1][column] - 2 * point
        let horizontal = u[row][column - 1] + u[row][column + 1] - 2 * point
        result[row][column] = vertical + ratio * horizontal
      }
    }
    return result
  }

  mutating func step() {
    let (bend, past) = (laplacian(now), laplacian(before))
    let stress = laplacian(bend)
    var next = now.map { $0.map { _ in 0.0 } }
    for row in 2..<(rows + 2) {
      for column in 2..<(columns + 2) {
        let inertia = 2 * now[row][column] - keep * before[row][column]
        let damping = viscous * (bend[row][column] - past[row][column])
        next[row][column] = eta * (inertia - stiff * stress[row][column] + damping)
      }
    }
    if boundary == 1 || boundary == 2 {
      for column in 2..<(columns + 2) {
        (next[2][column], next[rows + 1][column]) = (0, 0)
        let sign = boundary == 1 ? 1.0 : -1
        next[1][column] = sign * next[3][column]
        next[rows + 2][column] = sign * next[rows][column]
      }
    }
    (before, now) = (now, next)
  }

  /// The corner of the square around a place, with the shares of its four points.
  private func corner(_ place: (x: Double, y: Double)) -> (Int, Int, Double, Double) {
    let x = place.x * Double(columns - 1)
    let y = place.y / aspect * Double(rows - 1)
    let (column, row) = (min(Int(x), columns - 2), min(Int(y), rows - 2))
    return (column + 2, row + 2, x - Double(column), y - Double(row))
  }

  mutating func strike(_ place: (x: Double, y: Double), _ sample: Double) {
    let (column, row, x, y) = corner(place)
    now[row][column] += (1 - x) * (1 - y) * sample
    now[row][column + 1] += x * (1 - y) * sample
    now[row + 1][column] += (1 - x) * y * sample
    now[row + 1][column + 1] += x * y * sample
  }

  func motion(_ place: (x: Double, y: Double)) -> Double {
    let (column, row, x, y) = corner(place)
    let near = (1 - x) * now[row][column] + x * now[row][column + 1]
    let far = (1 - x) * now[row + 1][column] + x * now[row + 1][column + 1]
    return (1 - y) * near + y * far
  }
}

@Suite("PLATE in Csound", .serialized)
struct PlateTests {
  private static let inputs = [0.3, 0.39, 0.4, 7, 1, 2]
  private static let outputs = [0.25, 0.67, 1.6, -30, -0.7, 4, 0, 0, 1]
  private static let tables = """
    gi1 ftgen 1, 0, -6, -2, \(inputs.map { "\($0)" }.joined(separator: ", "))
    gi2 ftgen 2, 0, -9, -2, \(outputs.map { "\($0)" }.joined(separator: ", "))
    """

  /// Where a place of a table is after some steps.
  private func place(
    _ table: [Double], _ index: Int, _ steps: Int, aspect: Double
  ) -> (x: Double, y: Double) {
    let angle = table[3 * index + 2] + 2 * Double.pi * table[3 * index] * Double(steps) / 48_000
    let radius = 0.5 * min(aspect, 1) * table[3 * index + 1]
    return (0.5 + radius * cos(angle), 0.5 * aspect + radius * sin(angle))
  }

  @Test(
    "It is its equation on grids of every width, with more outputs than inputs",
    arguments: [8000.0, 2000, 1000, 500, 300, 200, 150, 60, 15], [1, 64])
  func equation(stiffness: Double, ksmps: Int) throws {
    for (boundary, aspect) in [(0, 1.4), (1, 1.1), (2, stiffness < 400 ? 0.4 : 1)] {
      let performance = try performNote(
        """
        a1 rand 1, 0.3, 1
        a2 rand 1, 0.6, 1
        a3, a4, a5 PLATE 1, 2, \(boundary), \(aspect), \(stiffness), 0.2, 0.01, a1, a2
        """, heard: "a1, a2, a3, a4, a5", note: "0.02", header: Self.tables, ksmps: ksmps)
      var plate = PlainPlate(
        boundary: boundary, aspect: aspect, stiffness: stiffness, decay: 0.2, loss: 0.01,
        rate: 48_000)
      var expected = Array(repeating: [Double](), count: 3)
      for frame in performance[0].indices {
        plate.step()
        for input in 0..<2 {
          plate.strike(
            place(Self.inputs, input, frame + 1, aspect: aspect), performance[input][frame])
        }
        for output in 0..<3 {
          let place = place(Self.outputs, output, frame + 1, aspect: aspect)
          expected[output].append(plate.motion(place) / 25)
        }
      }
      for output in 0..<3 {
        #expect(expected[output].contains { abs($0) > 1e-3 })
        #expect(
          largestDifference(performance[2 + output], expected[output]) < 1e-9,
          "boundary \(boundary), output \(output), \(plate.columns) x \(plate.rows)")
      }
    }
  }

  @Test(
    "Without loss of high frequencies the sound falls by 120 dB in idecay", arguments: [0.2, 1])
  func decay(seconds: Double) throws {
    let sound = try performNote(
      """
      a1 mpulse 1, 0
      a2, a3, a4 PLATE 1, 2, 2, 0.73, 20, \(seconds), 0, a1, a1
      """, heard: "a2", note: "\(0.6 * seconds)", header: Self.tables)[0]
    func level(_ from: Double) -> Double {
      let start = Int(from * seconds * 48_000)
      let part = sound[start..<(start + Int(0.1 * seconds * 48_000))]
      return 10 * log10(part.reduce(0) { $0 + $1 * $1 })
    }
    let told = try pageFigures(
      "Delays/Plate.swift", "falls by 120 dB, above 0: by 60 dB in half of it")
    #expect(abs(level(0.1) - level(0.5) - 0.8 * told[2]) < 3)
  }

  @Test("NaN and infinity count as 0, silence ends the sound, and another note begins at rest")
  func silence() throws {
    let performance = try perform(
      """
      \(Self.tables)
      instr 1
        kcycle timeinstk
        kminus init -1
        kbad = (kcycle == 2 ? log(kminus) : (kcycle == 3 ? 1 / (kcycle - 3) : 0))
        a1 mpulse 1, 0
        a2, a3, a4 PLATE 1, 2, 1, 1, 100, 0.01, 0, upsamp(kbad), a1
        outch 1, a2
      endin
      """, score: "i1 0 0.3\ni1 0.4 0.3")
    let sound = performance[0]
    #expect(sound.allSatisfy(\.isFinite) && sound[..<1000].contains { abs($0) > 1e-3 })
    #expect(sound[14_000..<14_400].allSatisfy { $0 == 0 })
    #expect(Array(sound[19_200..<33_600]) == Array(sound[..<14_400]))
  }

  @Test("A deleted table ends the note")
  func deleted() throws {
    let performance = try perform(
      """
      \(Self.tables)
      instr 1
        a1 PLATE 1, 2, 0, 1, 5, 1, 0, upsamp(k(1))
      endin
      instr 2
        ftfree 1, 0
      endin
      """, score: "i1 0.02 0.02\ni2 0.03 0.001")
    #expect(performance.said("PLATE: a table of places was deleted or became too short."))
  }
}
