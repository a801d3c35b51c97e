import CsoundLive
import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("Playing on a device", .serialized)
struct PlayingTests {
  static let piece = Piece(.orchestra(duet.orchestra, score: duet.score))

  /// Plays to the end and returns what the device has consumed.
  static func play(_ piece: Piece, _ settings: Settings, file: String) throws -> (
    [Float], Ear, Status
  ) {
    let ear = Ear()
    let performance = Performance(piece, settings: settings, listener: ear.listener)
    try performance.play()
    performance.wait()
    return (try played(file), ear, try #require(performance.status))
  }

  @Test(
    "What the device plays is what is rendered offline, sample for sample",
    arguments: [(64, 64), (256, 64), (256, 100), (64, 1000), (100, 64), (441, 10)])
  func exact(period: Int, ksmps: Int) throws {
    let file = Rig.file()
    var piece = Self.piece
    piece.ksmps = ksmps
    let settings = Settings(device: Rig.device("FILE=\(file)", "SPEED=4", "WAIT=1"), period: period)
    let (sound, ear, status) = try Self.play(piece, settings, file: file)
    let expected = try offline(duet.orchestra, duet.score, options: ["--ksmps=\(ksmps)"])
    #expect(ear.ending?.0 == .finished)
    #expect(status.seconds >= 0.5)
    #expect(sound.count >= expected.count && sound.count < expected.count + 2 * (period + ksmps))
    let wrong = zip(sound, expected).count { $0 != Float($1) }
    #expect(wrong == 0, "\(wrong) samples of \(expected.count)")
    #expect(sound.dropFirst(expected.count).allSatisfy { $0 == 0 })
    #expect(sound.contains { abs($0) > 0.3 })
  }

  @Test(
    "Whole numbers are the nearest, clipped at full scale",
    arguments: [
      ("S16_LE", 32768.0), ("S24_LE", 8388608), ("S24_3LE", 8388608), ("S32_LE", 2147483648),
    ])
  func formats(format: String, scale: Double) throws {
    let file = Rig.file()
    // Twice as loud: much of it is beyond full scale.
    let loud = duet.orchestra.replacing("outs a1, a1*0.5", with: "outs a1*5, a1*0.5")
    let settings = Settings(
      device: Rig.device("FILE=\(file)", "FORMATS=\(format)", "SPEED=4", "WAIT=1"), period: 512)
    let (_, _, status) = try Self.play(
      Piece(.orchestra(loud, score: duet.score)), settings, file: file)
    let expected = try offline(loud, duet.score).map {
      max(-scale, min(scale - 1, ($0 * scale).rounded(.toNearestOrEven)))
    }
    let sound = try played(file, as: format)
    let wrong = zip(sound, expected).count { $0 != $1 }
    #expect(wrong == 0, "\(wrong) of \(expected.count)")
    #expect(status.clipped > 100 && expected.contains(scale - 1) && expected.contains(-scale))
  }

  @Test("Up to eight channels, one as two where the device has no fewer", arguments: [1, 2, 3, 8])
  func channels(count: Int) throws {
    let orchestra = """
      \(header(ksmps: 32, channels: count))
      instr 1
      \((1...count).map { "a\($0) init \($0)/16\noutch \($0), a\($0)" }.joined(separator: "\n"))
      endin
      """
    let file = Rig.file()
    let width = max(2, count)
    let settings = Settings(
      device: Rig.device("FILE=\(file)", "CHANNELS=\(width)", "SPEED=8", "WAIT=1"), period: 256)
    let (sound, _, _) = try Self.play(
      Piece(.orchestra(orchestra, score: "i 1 0 0.1")), settings, file: file)
    let frame = (1...width).map { count == 1 ? Float(1.0 / 16) : Float($0) / 16 }
    let wrong = (0..<4800).count { Array(sound[$0 * width..<($0 + 1) * width]) != frame }
    #expect(wrong == 0)
  }

  @Test("A device of another rate: the orchestra runs at the device's, and says so")
  func rate() throws {
    let file = Rig.file()
    let settings = Settings(device: Rig.device("FILE=\(file)", "RATE=44100", "SPEED=4", "WAIT=1"))
    let (sound, ear, _) = try Self.play(Self.piece, settings, file: file)
    let expected = try offline(duet.orchestra, duet.score, options: ["--sample-rate=44100"])
    let wrong = zip(sound, expected).count { $0 != Float($1) }
    #expect(wrong == 0)
    guard
      case .started(let format)? = ear.notices.first(where: {
        if case .started = $0 { true } else { false }
      })
    else { return #expect(Bool(false), "never started") }
    #expect(format.sampleRate == 44100 && format.otherSampleRate == 48000)
  }

  @Test("A piece that asks for --realtime, which crashes, plays without and says so")
  func realtime() throws {
    let file = Rig.file()
    var piece = Self.piece
    piece.options = ["--realtime"]
    piece.ksmps = 32
    let settings = Settings(
      device: Rig.device("FILE=\(file)", "SPEED=4", "WAIT=1"), sampleRate: 44100)
    let (sound, ear, _) = try Self.play(piece, settings, file: file)
    let expected = try offline(
      duet.orchestra, duet.score, options: ["--ksmps=32", "--sample-rate=44100"])
    let wrong = zip(sound, expected).count { $0 != Float($1) }
    #expect(wrong == 0 && sound.count >= expected.count)
    #expect(ear.text.contains("asks for --realtime"))
  }

  @Test("What cannot be had is said in a sentence")
  func refusals() {
    func sentence(_ settings: Settings, _ piece: Piece = Self.piece) -> Failure? {
      do throws(Failure) {
        try Performance(piece, settings: settings).play()
        return nil
      } catch { return error }
    }
    _ = Rig.configuration
    let missing = sentence(Settings(device: .named("nosuch")))
    #expect(missing?.exitCode == 69)
    #expect(missing?.message.contains("'nosuch' cannot be opened: No such file") == true)
    #expect(missing?.message.contains("--device null") == true)
    #expect(missing?.message.contains("did you mean") == false)
    let mistyped = sentence(Settings(device: .named("rgi")))
    #expect(mistyped?.message.contains("did you mean rig?") == true)
    let narrow = sentence(Settings(device: Rig.device("CHANNELS=1")))
    #expect(
      narrow?.message
        == "The orchestra has 2 channels and the device 1; choose another device, or set nchnls.")
    let fixed = sentence(Settings(device: Rig.device("RATE=44100"), sampleRate: 96000))
    #expect(fixed?.message.contains("does not run at 96000 Hz; nearest is 44100 Hz") == true)
    let formats = sentence(Settings(device: Rig.device("FORMATS=U8")))
    #expect(formats?.message.contains("takes none of the formats FLOAT_LE, S32_LE") == true)
    let broken = sentence(
      Settings(device: .null), Piece(.orchestra("instr 1\n nonsense\nendin", score: "")))
    #expect(broken?.exitCode == 65 && broken?.message.contains("nonsense") == true)
  }
}
