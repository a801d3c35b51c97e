import Foundation
import OpcodeKit
import Testing

@Suite("Toolbox: transforms, convolution, jumps")
struct TransformTests {
  /// The number at `k` of a block's transform, by the sum that defines it.
  private func definition(_ numbers: [(Double, Double)], _ k: Int) -> (Double, Double) {
    var (real, imaginary) = (0.0, 0.0)
    for (n, number) in numbers.enumerated() {
      let angle = -2 * Double.pi * Double(k * n % numbers.count) / Double(numbers.count)
      real += number.0 * cos(angle) - number.1 * sin(angle)
      imaginary += number.0 * sin(angle) + number.1 * cos(angle)
    }
    return (real, imaginary)
  }

  @Test(
    "A complex transform is the sum of its definition, and backwards the block again",
    arguments: [8, 16, 32, 64, 512, 1024])
  func complex(size: Int) {
    var noise = Noise(seed: 5 as UInt64)
    let numbers = (0..<size).map { _ in (noise.next(), noise.next()) }
    var transform = ComplexTransform(
      size: size, memory: Buffer(count: ComplexTransform.memoryLength(size: size)))
    for n in stride(from: 0, to: size, by: 2) {
      transform[n] = (Pair(numbers[n].0, numbers[n + 1].0), Pair(numbers[n].1, numbers[n + 1].1))
    }
    transform.forward()
    for k in 0..<size {
      let (real, imaginary) = definition(numbers, k)
      let found = transform[k & ~1]
      #expect(abs(found.real[k & 1] - real) < 1e-14 * Double(size))
      #expect(abs(found.imaginary[k & 1] - imaginary) < 1e-14 * Double(size))
    }
    transform.backward()
    for n in 0..<size {
      let found = transform[n & ~1]
      #expect(abs(found.real[n & 1] / Double(size) - numbers[n].0) < 1e-14)
      #expect(abs(found.imaginary[n & 1] / Double(size) - numbers[n].1) < 1e-14)
    }
  }

  @Test(
    "A real transform is the sum of its definition, and backwards the block again",
    arguments: [16, 32, 64, 128, 256, 1024, 2048])
  func real(size: Int) {
    var noise = Noise(seed: 7 as UInt64)
    let samples = (0..<size).map { _ in noise.next() }
    let transform = RealTransform(
      size: size, memory: Buffer(count: RealTransform.memoryLength(size: size)))
    for n in 0..<size { transform.samples[n] = samples[n] }
    transform.forward()
    for k in 0...(size / 2) {
      let (real, imaginary) = definition(samples.map { ($0, 0) }, k)
      let found = transform[k & ~1]
      #expect(abs(found.real[k & 1] - real) < 1e-14 * Double(size))
      #expect(abs(found.imaginary[k & 1] - imaginary) < 1e-14 * Double(size))
      if k % 4 == 0, k < size / 2 { #expect(transform.quads(at: k).real[0] == found.real[0]) }
    }
    #expect(transform[0].imaginary[0].sign == .plus && transform[size / 2].imaginary[0] == 0)
    let result = transform.backward(level: 1)
    for n in stride(from: 0, to: size, by: 4) {
      let (near, far) = transform.samples(result, at: n / 2)
      for (place, found) in [near[0], near[1], far[0], far[1]].enumerated() {
        #expect(abs(found - samples[n + place]) < 1e-14)
      }
    }
  }

  @Test("A transform gives the same bits for samples set one by one and in pairs")
  func samples() {
    let size = 64
    var noise = Noise(seed: 8 as UInt64)
    let samples = (0..<size).map { _ in noise.next() }
    let length = RealTransform.memoryLength(size: size)
    let one = RealTransform(size: size, memory: Buffer(count: length))
    let other = RealTransform(size: size, memory: Buffer(count: length))
    for n in stride(from: 0, to: size, by: 4) {
      for place in n..<(n + 4) { one.samples[place] = samples[place] }
      other.setSamples(
        Pair(samples[n], samples[n + 1]), Pair(samples[n + 2], samples[n + 3]), at: n / 2)
    }
    one.forward()
    other.forward()
    for k in stride(from: 0, through: size / 2, by: 2) {
      #expect(one[k].real[0] == other[k].real[0] && one[k].imaginary[1] == other[k].imaginary[1])
    }
  }

  /// Four points with these angles in radians, and four more.
  private func points(_ angles: [Double], magnitude: Double) -> OctantLanes {
    func quad(_ part: (Double) -> Double, _ from: Int) -> Quad {
      Quad(values: SIMD4((from..<(from + 4)).map { magnitude * part(angles[$0]) }))
    }
    return OctantLanes(
      Complex(real: quad(cos, 0), imaginary: quad(sin, 0)),
      Complex(real: quad(cos, 4), imaginary: quad(sin, 4)))
  }

  @Test(
    "Points have the angles and squared magnitudes of their definition, in every direction",
    arguments: [1e-9, 1, 3e15])
  func octants(magnitude: Double) {
    for start in 0..<1_000 {
      // From -π to π, each octant's borders among them.
      let angles = (0..<8).map { Double(8 * start + $0 - 4_000) * Double.pi / 4_000 }
      let points = points(angles, magnitude: magnitude)
      for (place, angle) in angles.enumerated() {
        let found = points.angles.units[place] / AngleLanes.unitsPerRadian
        #expect(abs(remainder(found - angle, 2 * .pi)) < 6e-8)
        #expect(abs(points.power[place] / (magnitude * magnitude) - 1) < 5e-7)
      }
    }
  }

  @Test("Differences of angles wrap, and are kept where a size is large enough")
  func wrapping() {
    let (one, other) = (
      points(Array(repeating: 3, count: 8), magnitude: 1),
      points(Array(repeating: -3, count: 8), magnitude: 1)
    )
    let turn = (other.angles - one.angles)
    #expect(abs(turn.units[0] / AngleLanes.unitsPerRadian - (2 * .pi - 6)) < 2e-7)
    #expect((one.angles + turn).units[7] == other.angles.units[7])
    #expect(turn.kept(where: ShortLanes(1), isFrom: ShortLanes(2)).units[3] == 0)
    #expect(turn.kept(where: ShortLanes(2), isFrom: ShortLanes(2)).units[3] == turn.units[3])
    #expect(turn.kept(where: ShortLanes(.nan), isFrom: ShortLanes(2)).units[3] == 0)
    let nothing = points(Array(repeating: 0, count: 8), magnitude: 0)
    #expect(nothing.power[0] == 0 && abs(nothing.angles.units[0]) <= 0x1p31)
  }

  /// Partition, length, channels: short and long responses, with large partitions and without.
  @Test(
    "A convolution by partitions is the sum of its definition, a partition later",
    arguments: [
      (4, 1, 1), (4, 3, 2), (16, 100, 1), (16, 3000, 2), (64, 64 * 40 + 1, 3), (8, 2000, 1),
    ]
  )
  func convolution(partition: Int, length: Int, channels: Int) {
    var noise = Noise(seed: 6 as UInt64)
    let response = (0..<channels).map { _ in (0..<length).map { _ in noise.next() } }
    let plan = PartitionedConvolution.Plan(
      partition: partition, length: length, channels: channels)
    var convolution = PartitionedConvolution(
      plan, spectra: Buffer(count: plan.spectraLength), samples: Buffer(count: plan.samplesLength)
    ) { channel, index in response[channel][index] }
    let input = (0..<(length + 500)).map { _ in noise.next() }
    var outputs = [[Double]](repeating: [], count: channels)
    var frame = 0
    while frame < input.count {
      // Blocks that do not divide a partition.
      let count = min(convolution.room, 7, input.count - frame)
      for channel in 0..<channels {
        for index in 0..<count {
          outputs[channel].append(convolution.sound(of: channel, at: index))
        }
      }
      for index in 0..<count { convolution.setInput(input[frame + index], at: index) }
      convolution.advance(by: count)
      frame += count
    }
    var worst = 0.0
    for channel in 0..<channels {
      for n in stride(from: 0, to: input.count, by: 13) {
        var sum = 0.0
        for j in 0..<length where n - partition - j >= 0 {
          sum += response[channel][j] * input[n - partition - j]
        }
        worst = max(worst, abs(outputs[channel][n] - sum))
      }
    }
    #expect(worst < 1e-12)
  }

  @Test("One sample at a time, a convolution is the same as by blocks")
  func convolutionBySample() {
    let plan = PartitionedConvolution.Plan(partition: 8, length: 20)
    var convolution = PartitionedConvolution(
      plan, spectra: Buffer(count: plan.spectraLength), samples: Buffer(count: plan.samplesLength)
    ) { _, index in Double(index + 1) }
    let response = impulseResponse(40) { convolution.next($0) }
    for n in 0..<40 {
      let expected = n >= 8 && n < 28 ? Double(n - 7) : 0
      #expect(abs(response[n] - expected) < 1e-13)
    }
  }

  /// A saw from 1 to -1 with corrected jumps, and the same without.
  private func saw(cycles: Int, of count: Int, corrected: Bool) -> [Double] {
    let table = Buffer<Pair>(count: MinBLEP.tableLength)
    MinBLEP.fill(table)
    var steps = MinBLEP(table: table, memory: Buffer(count: MinBLEP.memoryLength))
    let frequency = Double(cycles) / Double(count)
    return (0..<2 * count).map { frame in
      let phase = (Double(frame) * frequency).truncatingRemainder(dividingBy: 1)
      if frame > 0, phase < frequency { steps.jump(by: 2, before: phase / frequency) }
      return 1 - 2 * phase + (corrected ? steps.next() : 0)
    }
  }

  @Test(
    "A saw with corrected jumps has the harmonics of a saw up to 20 kHz at 48 kHz, and aliases below -78 dB",
    arguments: [75, 212, 853, 1707])
  func minBLEP(cycles: Int) {
    let count = 8192
    func loudest(corrected: Bool) -> (alias: Double, error: Double) {
      let powers = powers(
        of: Array(saw(cycles: cycles, of: count, corrected: corrected).suffix(count)))
      let heard = 1..<(count * 20 / 48)
      let fundamental = powers[cycles]
      let alias = heard.filter { !$0.isMultiple(of: cycles) }.map { powers[$0] }.max() ?? 0
      let errors = heard.filter { $0.isMultiple(of: cycles) }.map { bin in
        // The harmonic h of a saw is 2 / π h.
        let expected = Double(count) / Double.pi / Double(bin / cycles)
        return abs(10 * log10(powers[bin] / (expected * expected)))
      }
      return (10 * log10(alias / fundamental), errors.max() ?? 0)
    }
    let (corrected, plain) = (loudest(corrected: true), loudest(corrected: false))
    #expect(corrected.alias < -78)
    #expect(corrected.error < 0.02)
    #expect(plain.alias > -40)
  }

  @Test(
    "A corrected jump begins at the jump, and is over after 32 samples; its delay is the area it lacks"
  )
  func minBLEPLength() {
    let table = Buffer<Pair>(count: MinBLEP.tableLength)
    MinBLEP.fill(table)
    var steps = MinBLEP(table: table, memory: Buffer(count: MinBLEP.memoryLength))
    var area = 0.0
    let places = 64
    for place in 0..<places {
      steps.jump(by: 1, before: Double(place) / Double(places))
      let corrections = (0..<40).map { _ in steps.next() }
      area -= corrections.reduce(0, +)
      #expect(corrections[32...].allSatisfy { $0 == 0 })
      #expect(abs(corrections[31]) < 1e-4)
    }
    #expect(abs(area / Double(places) - steps.delay) < 0.02)
    #expect(steps.delay > 1.5 && steps.delay < 2.5)
    // Numbers out of range count as the nearest.
    steps.jump(by: 1, before: -1)
    #expect(steps.next() == table[0][0])
    steps.clear()
    #expect(steps.next() == 0)
  }
}
