import CWatch
import CsoundLive
import Foundation
import HarnessBase
import TestSupport
import Testing

private nonisolated(unsafe) var kept: [Int] = []

@Suite("The audio thread outside Csound", .serialized)
struct WatchTests {
  /// Watches the audio thread from the end of each k-cycle to the beginning of the next.
  final class Watch: ChannelBinding {
    func setUp(_ performance: Performance) -> [ChannelLink] {
      [ChannelLink(before: { _ in watch_leave() }, after: { _ in watch_enter() }, context: nil)]
    }
  }

  /// Everything the loop does between cycles, with values, commands, a recording and a mixer.
  private func watched(_ device: Settings.Device, file: String) throws -> watch_report {
    watch_install()
    watch_reset()
    let performance = Performance(
      Piece(.orchestra(EventTests.gauge, score: "i 1 0 0.6")),
      settings: Settings(device: device, period: 100))
    let level = ControlValue("level")
    try performance.add(Watch(), level, ObservedValue("pulses"), ObservedValue("nobody"))
    try performance.play(recording: file)
    let mixer = try performance.mixer()
    let group = try mixer.addGroup()
    for step in 0..<20 {
      level.value = Double(step) / 40
      try mixer.set(group, volume: 1 / Double(1 + step))
      usleep(10_000)
    }
    performance.wait()
    let report = watch_result()
    withExtendedLifetime(mixer) {}
    return report
  }

  @Test("It allocates nothing and takes no lock")
  func nothing() throws {
    let file = Rig.file() + ".wav"
    let alone = try watched(.null, file: file)
    #expect(alone.allocations.count == 0 && alone.locks.count == 0)
    // ALSA locks its own device, which nobody else uses.
    let onDevice = try watched(Rig.device("FORMATS=S16_LE"), file: file)
    #expect(onDevice.allocations.count == 0)
  }

  @Test("A function of a binding that allocates is caught")
  func caught() throws {
    watch_install()
    watch_reset()
    final class Allocating: ChannelBinding {
      func setUp(_ performance: Performance) -> [ChannelLink] {
        [
          ChannelLink(
            before: nil, after: { _ in kept = [Int](repeating: kept.count, count: 100) },
            context: nil)
        ]
      }
    }
    let performance = Performance(
      Piece(.orchestra(PerformanceTests.steady, score: "i 1 0 0.1")),
      settings: Settings(device: .null))
    try performance.add(Watch(), Allocating())
    try performance.play()
    performance.wait()
    #expect(watch_result().allocations.count > 50)
  }
}
