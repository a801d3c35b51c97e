import CsoundLive
import Foundation
import HarnessBase
import Panels
import Playing
import TestSupport
import Testing

/// What is wrong, and too much.
extension OscTests {
  @Test("What is wrong is answered, said once of each kind, and stops nothing")
  func refusals() throws {
    let stage = try OscStage()
    let client = stage.client()
    let wrong: [(String, [Packet.Argument], String)] = [
      ("/level", [.s("loud")], "'level' takes a number"), ("/name", [.i(1)], "takes a text"),
      ("/level", [], "one value, not 0"), ("/level", [.i(1), .i(2)], "one value, not 2"),
      ("/level", [.f(.nan)], "finite"), ("/level", [.d(.infinity)], "finite"),
      ("/level", [.other("N", [])], "finite number or a text"),
      ("/nobody", [.i(1)], "'/nobody'"), ("/channel", [.s("nobody"), .i(1)], "'nobody'"),
      ("/channel", [.i(1)], "/channel takes"), ("/event", [.s("x"), .i(1)], "/event takes"),
      ("/event", [.s("i"), .i(1)], "p1 to p3"), ("/note", [.i(2)], "/note takes"),
      ("/note", [.s("a\" 0 1\ni 2 0 1"), .i(1)], "without quotes"),
      ("/note", [.s("a\\"), .i(1)], "without quotes"),
      ("/note", [.i(2), .i(1), .f(.nan)], "finite"),
      ("/note", [.i(2), .i(1), .s(String(repeating: "x", count: 2000))], "1000"),
      ("/record", [.i(2)], "1 or 0"), ("/preset", [.f(1.5)], "/preset takes"),
      ("/osc{1/level", [.i(1)], "a bracket is open"),
      ("/osc1}/level", [.i(1)], "a bracket is closed that was not opened"),
    ]
    for (address, arguments, expected) in wrong {
      client.send(Packet.message(address, arguments))
      let error = client.error()
      #expect(error?.contains(expected) == true, "\(address) \(arguments): \(error ?? "nothing")")
      // No more than twenty answers a second.
      usleep(50_000)
    }
    client.send(Array("no packet".utf8))
    #expect(client.error()?.contains("9 bytes") == true)
    // An error of another program is not answered.
    client.say("/error", .s("/a"), .s("b"))
    #expect(client.isSilent)
    client.say("/\u{1B}[2J\u{202E}", .i(1))
    client.say("/level", .f(0.25))
    try stage.expect("level", 0.25)
    try stage.expect("notes", 0)
    let said = stage.sentences
    #expect(said.count == 3, "\(said)")
    #expect(said.allSatisfy { $0.hasPrefix("OSC: ") && $0.hasSuffix(".\n") })
    stage.osc.stop()
    #expect(stage.sentences.last == "OSC: 20 more messages were refused.\n")
  }

  @Test("Damaged packets stop nothing, and errors do not reach the terminal's controls")
  func damage() throws {
    let stage = try OscStage(hasPage: true)
    let client = stage.client()
    var generator = SeededGenerator(seed: 7)
    let good = [
      Packet.message("/channel", [.s("level"), .f(0.5)]),
      Packet.message("/\u{1B}[2J\u{9B}", [.i(1)]),
      Packet.bundle(1, [Packet.message("/note", [.i(2), .f(0.01), .d(1)])]),
      Packet.message("/osc{1,2}/le*", [.h(3)]), Packet.message("/name", [.s("text")]),
    ]
    for number in 0..<600 {
      client.send(damaged(good[number % good.count], &generator))
      if number % 50 == 0 { usleep(10_000) }
    }
    client.send([])
    client.send([UInt8](repeating: 255, count: 60_000))
    client.say("/level", .f(0.375))
    try stage.expect("level", 0.375)
    #expect(stage.performance.status?.xruns == 0)
    let controls = stage.sentences.joined().unicodeScalars.filter {
      $0.properties.generalCategory == .control && $0 != "\n"
    }
    #expect(controls.isEmpty && !stage.sentences.isEmpty)
  }

  /// Periods may be late because other programs have the processor, so the audio thread's own time is measured.
  @Test("Ten thousand messages a second leave the audio thread most of each period")
  func flood() throws {
    let stage = try OscStage(hasPage: true)
    let (client, listener) = (stage.client(), stage.client())
    listener.say("/subscribe")
    let (begin, start) = (stage.performance.status!.seconds, Date())
    let time = try #require(stage.performance.audioThreadTime)
    var sent = 0
    func flood(until count: Int) {
      while sent < count {
        switch sent % 6 {
        case 0: client.say("/level", .f(Float(sent % 100) / 100))
        case 1: client.say("/channel", .s("cutoff"), .i(Int32(sent)))
        case 2: client.say("/no such", .i(1))
        default: client.say("/note", .i(2), .d(0.001), .i(60))
        }
        sent += 1
      }
    }
    while sent < 20_000 {
      flood(until: min(20_000, Int(Date().timeIntervalSince(start) * 10_000)))
      usleep(1000)
    }
    let took = try #require(stage.performance.audioThreadTime) - time
    let played = stage.performance.status!.seconds - begin
    #expect(took < 0.5 * played, "\(took) s of \(played) s")
    // On a busy machine fewer may have arrived in a second than the server takes.
    let isLimited = waits {
      flood(until: sent + 200)
      return stage.sentences.contains { $0.contains("2000 events") }
    }
    #expect(isLimited)
    // A datagram can still be lost while the flood's last ones wait.
    let port = PerformancePort(stage.performance)
    let isTaken = try waits {
      client.say("/level", .f(0.625))
      usleep(50_000)
      return try port.value(of: "level") == 0.625
    }
    #expect(isTaken)
    #expect(!listener.all().isEmpty)
  }
}
