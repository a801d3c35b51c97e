import Foundation
import HarnessBase
import Rendering
import Testing

/// A piece that plays every opcode of the pack with one recording as input:
/// `Tests/Hosts/recorded.csd`.
struct Recording {
  static let orchestra = root + "/Tests/Hosts/recorded.csd"
  private static let channelCount = 83
  private let directory: String

  init() throws {
    directory = try temporaryDirectory()
    var state: UInt64 = 7
    let noise = (0..<4 * 48_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(Int64(bitPattern: state) >> 11) / 0x1p52
    }
    try Sound(sampleRate: 48_000, channelCount: 4, samples: noise).write(
      to: directory + "/noise.wav")
  }

  /// The arguments of the command `csound` that play the piece with a plugin into a file called
  /// `name`.
  func words(_ plugin: String, _ name: String) -> [String] {
    [
      "-d", "-m0", "-i", directory + "/noise.wav", "--opcode-lib=\(plugin)", "-W",
      "--format=double", "-o", "\(directory)/\(name)", Self.orchestra,
    ]
  }

  /// Expects two sound files to be the same, or the energy of each channel's difference to be below a limit, in dB of the
  /// channel's; reports each channel's first difference.
  func requireSame(_ first: String, _ second: String, below limit: Double? = nil) throws {
    let sounds = try [first, second].map { try Sound(readingFrom: directory + "/" + $0) }
    try #require(sounds[0].samples.count == sounds[1].samples.count)
    let channels = sounds[0].channelCount
    #expect(channels == Self.channelCount)
    for channel in 0..<channels {
      let pairs = stride(from: channel, to: sounds[0].samples.count, by: channels)
        .map { (sounds[0].samples[$0], sounds[1].samples[$0]) }
      #expect(pairs.contains { $0.0 != 0 }, "channel \(channel + 1) is silent")
      #expect(pairs.allSatisfy { $0.0.isFinite }, "channel \(channel + 1) is not finite")
      let differing = pairs.indices.filter { pairs[$0].0 != pairs[$0].1 }
      let largest = differing.map { abs(pairs[$0].0 - pairs[$0].1) }.max() ?? 0
      let energies = pairs.reduce((0.0, 0.0)) { sums, pair in
        (sums.0 + (pair.0 - pair.1) * (pair.0 - pair.1), sums.1 + pair.0 * pair.0)
      }
      #expect(
        differing.isEmpty || limit.map { 10 * log10(energies.0 / energies.1) < $0 } == true,
        "channel \(channel + 1) differs in \(differing.count) frames from \(differing.first ?? 0) on, by up to \(largest)"
      )
    }
  }
}

@Suite("The recording") struct RecordingTests {
  @Test("Every opcode of the pack is in it")
  func complete() throws {
    let rows = try ListedOverload.all()
    #expect(rows.count > 90)
    let words = Set(
      try String(file: Recording.orchestra)
        .split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    #expect(Set(rows.map(\.opcode)).subtracting(words) == [])
  }
}
