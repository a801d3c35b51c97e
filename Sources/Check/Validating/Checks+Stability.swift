import Probing
import HarnessBase
import Linting

extension Check {
  /// The stability of feedback inside the opcode.
  static let stability = [
    Check(
      "stability-ring",
      "With arguments in their documented ranges, the response to a burst does not grow at any frequency."
    ) { examination throws(Outcome) in
      try requireSignalAndSound(examination)
      for (number, values) in settings(examination).enumerated() {
        let signal: Scene.Signal = number % 2 == 0 ? .burst : .impulse
        guard let bands = try ring(examination, signal, values, seconds: 2),
          bands.contains(where: { $0.isGrowing || $0.hasGrown })
        else { continue }
        try requireNoGrowth(examination, signal, values)
      }
    },
    Check(
      "stability-pairs",
      "With any two arguments at the ends of their documented ranges, the response to a burst does not grow."
    ) { examination throws(Outcome) in
      try requireSignalAndSound(examination)
      let pairs = pairs(examination)
      guard !pairs.isEmpty else { throw .skipped("it has no two numbers with documented ranges") }
      guard try goesOn(examination) else { throw .skipped("it ends with its signal") }
      // The combinations are notes of a few renders.
      for start in stride(from: 0, to: pairs.count, by: 16) {
        let some = pairs[start..<min(start + 16, pairs.count)]
        for (values, bands) in zip(some, try rings(examination, some))
        where bands.contains(where: { $0.isGrowing || $0.hasGrown }) {
          try requireNoGrowth(examination, .burst, values)
        }
      }
    },
    Check(
      "stability-moving",
      "With controls that swing within their documented ranges at audio rate the output stays bounded."
    ) { examination throws(Outcome) in
      try requireSignalAndSound(examination)
      let moving = ranged(examination).filter { examination.plan.inputs[$0].rate == .a }
      guard !moving.isEmpty else {
        throw .skipped("none of its controls with a documented range is at audio rate")
      }
      let limit = 1e6
      for swing in swings(examination, moving) {
        let take = try examination.playCleanly(swing.scene(examination))
        guard take.first.peak > limit else { continue }
        throw .failed(
          "with \(swing.text(examination)) it reaches \(take.first.peak), more than a million times"
            + " full scale")
      }
    },
  ]

  /// Fails if the response to a signal still grows after 8 s, when a late echo or a slow beat is no longer
  /// taken for growth.
  private static func requireNoGrowth(
    _ examination: Examination, _ signal: Scene.Signal, _ values: [Int: Double]
  ) throws(Outcome) {
    guard let later = try ring(examination, signal, values, seconds: 8) else { return }
    let account = "with \(text(examination, values))"
    if examination.plan.oscillates {
      // An oscillation may begin so slowly that it still grows after 8 s.
      guard let band = later.first(where: \.isHuge) else { return }
      throw .failed("\(account), \(band.name) oscillates beyond bounds: \(band.levels)")
    }
    if let band = later.first(where: \.isGrowing) {
      // What neither decays nor grows can beat so slowly.
      if !band.isClearlyGrowing {
        let last = try ring(examination, signal, values, seconds: 24)
        guard last?.contains(where: { $0.isGrowing || $0.hasGrown }) ?? true else { return }
      }
      throw .failed("\(account), \(band.name) grows in 8 s without a signal: \(band.levels)")
    }
    if let band = later.first(where: \.hasGrown) {
      throw .failed(
        "\(account), \(band.name) oscillates by itself, louder than at first; if that is right,"
          + " set 'oscillates' in its entry of the argument file: \(band.levels)")
    }
  }

  /// Two numbers each at the ends of their ranges, the others at their typical values: all four
  /// combinations of every pair, as far as the level goes.
  private static func pairs(_ examination: Examination) -> [[Int: Double]] {
    let indices = ranged(examination)
    let all = indices.flatMap { one in
      indices.filter { $0 > one }.flatMap { other in
        let (first, second) = (range(examination, one)!, range(examination, other)!)
        return [first.lowerBound, first.upperBound].flatMap { value in
          [second.lowerBound, second.upperBound].map { [one: value, other: $0] }
        }
      }
    }
    let most = 8 * count(examination)
    return all.count <= most
      ? all : Array(all.shuffled(using: &examination.generator).prefix(most))
  }

  /// Whether anything comes out after the end of a burst of 960 frames: then it has a memory.
  private static func goesOn(_ examination: Examination) throws(Outcome) -> Bool {
    try examination.playCleanly(Scene(.burst)).first.outputs.joined().contains { stream in
      stream.isAudio && stream.values.dropFirst(1000).contains { $0 != 0 }
    }
  }

  /// What `ring` gives for each of several settings, as notes of one render of 2 s; nothing for a
  /// setting that the opcode refuses.
  private static func rings(
    _ examination: Examination, _ settings: ArraySlice<[Int: Double]>
  ) throws(Outcome) -> [[RingingBand]] {
    let indices = ranged(examination)
    let scene = Scene(.burst).with { scene in
      for (place, index) in indices.enumerated() { scene.expressions[index] = "p\(place + 5)" }
      scene.notes = settings.map { values in
        Scene.Note(
          duration: 2, fields: indices.map { values[$0] ?? examination.plan.inputs[$0].value })
      }
    }
    let take = try examination.play(scene)
    try examination.requireReturn(take)
    return try zip(take.notes, settings).map { note, values throws(Outcome) in
      guard note.failedInits == 0, note.failedPasses == 0 else { return [] }
      if let text = note.notFinite {
        throw .failed("with \(self.text(examination, values)), \(text)")
      }
      return note.outputs.joined().filter(\.isAudio).flatMap {
        RingingBand.bands(of: $0, sampleRate: scene.sampleRate)
      }
    }
  }

  private static func requireSignalAndSound(_ examination: Examination) throws(Outcome) {
    guard !examination.plan.signals.isEmpty else { throw .skipped("it takes no signal") }
    try examination.requireAudio()
    try examination.requirePerformance()
  }

  /// The number of settings to try at the examination's level.
  private static func count(_ examination: Examination) -> Int {
    [4, 8, 8, 16, 16, 32, 32, 64, 128, 256][examination.level - 1]
  }

  /// The indices of the numbers with a documented range.
  private static func ranged(_ examination: Examination) -> [Int] {
    examination.plan.numbers.filter { range(examination, $0) != nil }
  }

  /// The documented range. At i-rate it is limited to a factor of 1000 from the typical value, because
  /// the number may be a length in memory.
  private static func range(_ examination: Examination, _ index: Int) -> ClosedRange<Double>? {
    let input = examination.plan.inputs[index]
    guard let low = input.data.low, let high = input.data.high, low <= high else { return nil }
    guard input.rate == .i, input.value > 0 else { return low...high }
    return max(low, min(input.value / 1000, high))...min(high, max(input.value * 1000, low))
  }

  /// Values for the numbers with a range: the typical values, corners of the ranges, and random points
  /// within them.
  private static func settings(_ examination: Examination) -> [[Int: Double]] {
    let indices = ranged(examination)
    guard !indices.isEmpty else { return [[:]] }
    let count = count(examination)
    func setting(_ value: (Int, ClosedRange<Double>) -> Double) -> [Int: Double] {
      Dictionary(
        uniqueKeysWithValues: indices.enumerated().map { place, index in
          (index, value(place, range(examination, index)!))
        })
    }
    let corners = indices.count < 60 ? 1 << indices.count : .max
    let isAll = corners <= count
    let chosen = (0..<min(count, corners)).map { number in
      isAll ? number : Int.random(in: 0..<corners, using: &examination.generator)
    }
    let ends = chosen.map { corner in
      setting { (corner >> $0) & 1 == 0 ? $1.lowerBound : $1.upperBound }
    }
    let within = (0..<count).map { _ in
      setting { _, range in
        let share = Double.random(in: 0...1, using: &examination.generator)
        // The cube prefers points near the lower end, where a small difference matters more.
        return range.lowerBound + (range.upperBound - range.lowerBound) * share * share * share
      }
    }
    return [[:]] + ends + within
  }

  private static func text(_ examination: Examination, _ values: [Int: Double]) -> String {
    guard !values.isEmpty else { return "typical values" }
    return values.sorted { $0.key < $1.key }
      .map { "\(examination.plan.name($0.key)) at \(Scene.number($0.value))" }
      .joined(separator: ", ")
  }

  /// The energy of each octave of each audio output in each quarter of a note; nil if the opcode refuses
  /// the values.
  private static func ring(
    _ examination: Examination, _ signal: Scene.Signal, _ values: [Int: Double], seconds: Double
  ) throws(Outcome) -> [RingingBand]? {
    let scene = Scene(signal, duration: seconds).with { scene in
      for (index, value) in values { scene.expressions[index] = Scene.number(value) }
    }
    let take = try examination.play(scene)
    try examination.requireReturn(take)
    guard take.errors.isEmpty, take.first.failedInits == 0 else { return nil }
    if let text = take.first.notFinite {
      throw .failed("with \(self.text(examination, values)), \(text)")
    }
    return take.first.outputs.joined().filter(\.isAudio).flatMap {
      RingingBand.bands(of: $0, sampleRate: scene.sampleRate)
    }
  }

  /// A test in which a sine of one frequency moves some controls between two values each, while the
  /// other controls rest.
  private struct Swing {
    var bounds: [Int: ClosedRange<Double>]
    var frequency: Double
    var resting: [Int: Double]

    func scene(_ examination: Examination) -> Scene {
      Scene(duration: 1).with { scene in
        for (index, value) in resting { scene.expressions[index] = Scene.number(value) }
        scene.beforeCall = bounds.sorted { $0.key < $1.key }.map { index, range in
          let (middle, depth) = (
            0.5 * (range.lowerBound + range.upperBound), 0.5 * (range.upperBound - range.lowerBound)
          )
          return "ain\(index + 1) = \(Scene.number(middle)) + \(Scene.number(depth))"
            + " * oscili:a(1, \(Scene.number(frequency)))"
        }
      }
    }

    func text(_ examination: Examination) -> String {
      let moved = bounds.sorted { $0.key < $1.key }.map { index, range in
        "\(examination.plan.name(index)) from \(Scene.number(range.lowerBound)) to"
          + " \(Scene.number(range.upperBound)) at \(Scene.number(frequency)) Hz"
      }
      let others = resting.isEmpty ? "" : ", " + Check.text(examination, resting)
      return moved.joined(separator: ", ") + others
    }
  }

  private static func swings(_ examination: Examination, _ moving: [Int]) -> [Swing] {
    var all: [Swing] = []
    let groups = moving.map { [$0] } + (moving.count > 1 ? [moving] : [])
    for group in groups {
      // Numbers at i-rate keep their typical values, because at an end of its range a gain may be too
      // large.
      let others = ranged(examination).filter {
        !group.contains($0) && examination.plan.inputs[$0].rate != .i
      }
      let ends = [\ClosedRange<Double>.lowerBound, \.upperBound].map { end in
        Dictionary(uniqueKeysWithValues: others.map { ($0, range(examination, $0)![keyPath: end]) })
      }
      for resting in others.isEmpty ? [[:]] : [[:]] + ends {
        for frequency in [50, 500, 2_000, 5_000.0] {
          for isWhole in [true, false] {
            let bounds = group.map { index in
              let whole = range(examination, index)!
              let typical = examination.plan.inputs[index].value
              let part = (0.1 * typical)...max(0.1 * typical, 1.9 * typical)
              return (index, isWhole || typical <= 0 ? whole : part.clamped(to: whole))
            }
            all.append(
              Swing(
                bounds: Dictionary(uniqueKeysWithValues: bounds), frequency: frequency,
                resting: resting))
          }
        }
      }
    }
    return Array(all.shuffled(using: &examination.generator).prefix(2 * count(examination)))
  }
}
