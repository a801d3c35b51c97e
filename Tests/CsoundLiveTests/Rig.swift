import CsoundHost
import CsoundLive
import Foundation
import HarnessBase
import Synchronization
import TestSupport

extension Rig {
  /// A device with these settings of asound.conf.
  static func device(_ settings: String...) -> Settings.Device { .named(name(settings)) }
}

extension Performance {
  /// A performance of an orchestra and a score, without a device unless the settings name one.
  convenience init(
    _ orchestra: String, _ score: String, _ settings: Settings = Settings(device: .null),
    listener: @escaping @Sendable (Notice) -> Void = { _ in }
  ) {
    self.init(Piece(.orchestra(orchestra, score: score)), settings: settings, listener: listener)
  }
}

/// Holds a piece in its first cycle until it is opened, so that no event that was sent before comes late. The device
/// must wait, too.
final class Gate: ChannelBinding {
  nonisolated(unsafe) private let isOpen = UnsafeMutablePointer<Bool>.allocate(capacity: 1)

  init() { isOpen.initialize(to: false) }
  deinit { isOpen.deallocate() }

  func open() { isOpen.pointee = true }

  func setUp(_ performance: Performance) -> [ChannelLink] {
    [
      ChannelLink(
        before: { while !$0!.load(as: Bool.self) { usleep(1000) } }, after: nil, context: isOpen)
    ]
  }

  func cleanUp() {}
}

/// Collects what a listener hears.
final class Ear: Sendable {
  private let heard = Mutex<[Notice]>([])

  var listener: @Sendable (Notice) -> Void {
    { [self] notice in heard.withLock { $0.append(notice) } }
  }

  var notices: [Notice] { heard.withLock { $0 } }

  var text: String {
    notices.map { if case .message(let message) = $0 { message.text } else { "" } }.joined()
  }

  var ending: (LoopEnding, Failure?)? {
    for notice in notices {
      if case .ended(let ending, let failure) = notice { return (ending, failure) }
    }
    return nil
  }

  var xruns: Int {
    notices.reduce(0) { if case .xruns(let count) = $1 { $0 + count } else { $0 } }
  }
}

/// Renders offline with a plain Csound, full scale at 1.
func offline(_ orchestra: String, _ score: String, options: [String] = [], seconds: Double = 30)
  throws
  -> [Double]
{
  let path = Rig.file() + ".csd"
  let csd = orchestra.csd(score: score)
  try csd.save(to: path)
  return try offline(path, options: options, seconds: seconds)
}

func offline(_ path: String, options: [String] = [], seconds: Double = 30) throws -> [Double] {
  FloatMode.current = .csound
  let csound = try Csound()
  FloatMode.current = .csound
  try csound.compile(path, options: options)
  var samples: [Double] = []
  let limit = Int(seconds * csound.sampleRate) * csound.channelCount
  while samples.count < limit, csound.performKsmps() {
    samples += csound.output.map { $0 * (1 / csound.fullScale) }
  }
  return samples
}

/// The samples of a raw file as the rig has written it.
func played(_ file: String) throws -> [Float] { try Rig.samples(of: file) }

/// What an orchestra of these tests sounds like: notes that begin and end off the k-cycles, with noise.
let duet = (
  orchestra: """
  \(header(channels: 2))
  seed 7
  instr 1
    aline linseg 0, p3/2, 0.4, p3/2, 0
    a1 poscil aline, p4
    a2 rand 0.1, 0.5
    outs a1, a1*0.5 + a2*aline
  endin
  """,
  score: "i 1 0 0.3 440\ni 1 0.2501 0.25 660\n"
)

/// The samples of a raw file of any of the rig's formats.
func played(_ file: String, as format: String) throws -> [Double] {
  let bytes = [UInt8](try Data(file: file))
  func whole(_ place: Int, _ count: Int) -> Int {
    let unsigned = (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    let bits = 64 - 8 * count
    return (unsigned << bits) >> bits
  }
  switch format {
  case "FLOAT_LE": return try played(file).map(Double.init)
  case "S16_LE": return stride(from: 0, to: bytes.count, by: 2).map { Double(whole($0, 2)) }
  case "S24_3LE": return stride(from: 0, to: bytes.count, by: 3).map { Double(whole($0, 3)) }
  // The highest byte is not looked at by a device.
  case "S24_LE": return stride(from: 0, to: bytes.count, by: 4).map { Double(whole($0, 3)) }
  default: return stride(from: 0, to: bytes.count, by: 4).map { Double(whole($0, 4)) }
  }
}
