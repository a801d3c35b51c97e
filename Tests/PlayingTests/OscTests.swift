import CsoundLive
import TestPages
import Foundation
import HarnessBase
import Panels
import Playing
import TestSupport
import Testing

/// What other programs do with a piece by OSC, each through a socket.
@Suite("OSC", .serialized)
struct OscTests {
  @Test("Values of every type set channels, by their names and by addresses")
  func values() throws {
    let stage = try OscStage()
    let client = stage.client()
    let sent: [(Packet.Argument, Double)] = [
      (.f(0.25), 0.25), (.d(0.75), 0.75), (.i(1), 1), (.h(0), 0), (.t(true), 1), (.f(0.1), 0.1),
    ]
    for (argument, expected) in sent {
      client.send(Packet.message("/level", [argument]))
      try stage.expect("level", expected)
      client.send(Packet.message("/channel", [.s("heard"), .f(-1)]))
      client.send(Packet.message("/channel", [.s("cutoff"), argument]))
      try stage.expect("heard", expected)
    }
    // In the range of the widget; a channel without one has none.
    client.say("/level", .f(7))
    try stage.expect("level", 1)
    client.say("/cutoff", .f(800))
    try stage.expect("heard", 800)
    client.say("/name", .s("seven.."))
    try stage.expect("letters", 7)
    client.say("/channel", .s("name"), .s("three"))
    try stage.expect("letters", 5)
    #expect(stage.values.all["level"]?.number == 1 && stage.values.all["name"]?.text == "three")
    // A momentary button is 1 for one k-cycle, however often.
    for value in [1, 0, 1, 0, 1] as [Float] {
      client.say("/go", .f(value))
      usleep(10_000)
    }
    try stage.expect("pulses", 3)
    #expect(stage.sentences == [])
  }

  @Test("A pattern sets all channels that it matches")
  func patterns() throws {
    let stage = try OscStage()
    let client = stage.client()
    client.say("/osc{1,2}/level", .f(0.75))
    try stage.expect("osc1/level", 0.75)
    try stage.expect("osc2/level", 0.75)
    client.say("/osc[!1]/*", .f(2))
    // As chn_k declares its range.
    try stage.expect("osc2/level", 1)
    try stage.expect("osc1/level", 0.75)
    try stage.expect("level", 0.5)
    // Channels of both types: a value sets those of its own.
    client.say("/{name,level}", .f(0.125))
    try stage.expect("level", 0.125)
    client.say("/{level,name}", .s("both"))
    // Its error is the first one.
    client.say("/nam*", .f(1))
    #expect(client.error() == "'name' takes a text (type s), not a number.")
    client.say("/nothing*", .f(1))
    #expect(client.error()?.contains("'/nothing*'") == true)
    client.say("/pan?c")
    client.say("/pan?c", .i(1))
    try stage.expect("score notes", 1)
  }

  @Test("Events, notes and panic: what was played from outside ends, what the score plays does not")
  func notes() throws {
    let stage = try OscStage()
    let client = stage.client()
    client.say("/event", .s("i"), .i(2), .i(0), .f(0.1), .f(0.1))
    try stage.expect("key", 0.1)
    client.say("/note", .i(2), .i(-1), .d(60.5), .f(4))
    try stage.expect("key", 60.5)
    try stage.expect("fifth", 4)
    client.say("/note", .s("Lead"), .f(100), .s("four words of text"))
    try stage.expect("word", 18)
    client.say("/event", .s("i"), .f(2.1), .i(0), .i(-1), .i(62))
    try stage.expect("notes", 3)
    // A held note ends by its number.
    client.say("/event", .s("i"), .f(-2.1), .i(0), .i(0))
    try stage.expect("notes", 2)
    client.say("/panic")
    try stage.expect("notes", 0)
    try stage.expect("score notes", 1)
    client.say("/event", .s("f"), .i(90), .i(0), .i(8), .i(-2), .i(5), .i(6))
    waits { (try? stage.performance.table(90)) != nil }
    #expect(try stage.performance.table(90).prefix(2) == [5, 6])
    client.say("/event", .s("e"))
    #expect(waits { !stage.performance.isPlaying })
  }

  @Test("Presets are recalled by name and by number; recording begins and ends")
  func presets() throws {
    let stage = try OscStage()
    let client = stage.client()
    client.say("/preset", .s("half"))
    try stage.expect("level", 0.25)
    client.say("/preset", .i(2))
    try stage.expect("level", 1)
    client.say("/preset", .i(3))
    #expect(client.error() == "There is no preset 3; the piece has 2.")
    let begin = ContinuousClock.now
    client.say("/preset", .s("half"), .f(1))
    try stage.expect("level", 0.25)
    #expect(begin.duration(to: .now) > .seconds(0.9))
    client.say("/preset", .s("half"), .f(-1))
    #expect(client.error() == "/preset takes after a name the seconds to get there, from 0 to 600.")
    client.say("/preset", .s("none"))
    #expect(client.error() == "There is no preset 'none'.")
    client.say("/preset", .s("Halv"))
    #expect(client.error() == "There is no preset 'Halv'; did you mean half?")
    client.say("/record", .i(1))
    waits { !stage.recordings.isEmpty }
    #expect(stage.recordings == [true])
    client.say("/record", .t(false))
    waits { stage.recordings.count >= 2 }
    #expect(stage.recordings == [true, false])
    client.say("/record", .i(0))
    waits { stage.sentences.last?.contains("being recorded") == true }
    #expect(stage.sentences.last == "OSC: Nothing is being recorded.\n")
  }

  @Test("A page shows what OSC sets, and OSC is told what a page sets")
  func page() throws {
    let stage = try OscStage(hasPage: true)
    let page = try RawClient(panel: try #require(stage.page).port)
    let client = stage.client()
    client.say("/subscribe")
    _ = client.all()
    client.say("/level", .f(0.875))
    var shown: Double?
    while shown != 0.875, let message = page.message("values") {
      shown = (message["values"] as? [String: Any])?["level"] as? Double
    }
    #expect(shown == 0.875)
    #expect(!client.all().contains { $0.address == "/level" })
    page.say(#"{"type":"set","channel":"level","value":0.125}"#)
    #expect(
      client.hears(.init(address: "/level", number: 0.125), .init(address: "/twice", number: 0.25)))
  }

  @Test("Subscribers get all values at once and then what changes, not what they set themselves")
  func subscription() throws {
    let stage = try OscStage()
    let (client, other) = (stage.client(), stage.client())
    client.say("/subscribe")
    let first = Dictionary(client.all().map { ($0.address, $0) }) { $1 }
    #expect(first["/twice"]?.number == 1 && first["/heard"]?.number == 0)
    #expect(first["/osc1/level"] != nil && first["/name"]?.texts == [""])
    client.say("/level", .f(0.75))
    #expect(client.all() == [OscClient.Message(address: "/twice", number: 1.5)])
    // Unless that was out of range.
    client.say("/level", .f(7))
    #expect(client.hears(.init(address: "/level", number: 1)))
    other.say("/level", .f(0.5))
    #expect(client.hears(.init(address: "/level", number: 0.5)))
    #expect(other.isSilent)
    other.say("/name", .s("Bär"))
    #expect(client.hears(.init(address: "/name", number: nil, texts: ["Bär"])))
    client.skip()
    client.say("/unsubscribe")
    other.say("/level", .f(0.25))
    #expect(client.isSilent)
    // To another port than that of the sender.
    client.say("/subscribe", .i(Int32(other.port)))
    #expect(other.hears(.init(address: "/level", number: 0.25)))
    #expect(client.isSilent)
    client.say("/subscribe", .i(70_000))
    #expect(client.error()?.contains("port") == true)
  }

  @Test("A subscription ends after its time, and when its port is closed")
  func lease() throws {
    let stage = try OscStage(lease: 1.5)
    let (client, other) = (stage.client(), stage.client())
    client.say("/subscribe")
    #expect(!client.all().isEmpty)
    usleep(600_000)
    client.say("/subscribe")
    #expect(!client.all().isEmpty)
    other.say("/level", .f(0.1))
    #expect(client.next() != nil)
    usleep(1_600_000)
    client.skip()
    other.say("/level", .f(0.2))
    #expect(client.isSilent)

    let patient = try OscStage()
    var gone: OscClient? = patient.client()
    let port = gone!.port
    gone!.say("/subscribe")
    #expect(!gone!.all().isEmpty)
    gone = nil
    let setter = patient.client()
    for value in [0.1, 0.2] as [Float] {
      setter.say("/level", .f(value))
      usleep(100_000)
    }
    // Who has the port now is told nothing.
    let successor = patient.client(own: port)
    setter.say("/level", .f(0.3))
    #expect(successor.isSilent)
  }

  @Test("Every value of a large panel comes, in portions")
  func largePanel() throws {
    var panel = Panel("Large", from: .file)
    let names = (0..<700).map { "channel \($0)" }
    for name in names {
      panel.add(PanelWidget(.slider, channels: [name], ranges: [ValueRange(0, 1, initial: 0.5)]))
    }
    let stage = try OscStage(panel: panel)
    let client = stage.client()
    client.say("/subscribe")
    let found = Set(client.all().map(\.address))
    #expect(names.allSatisfy { found.contains("/" + $0) })
  }

  /// Where a period is late the device plays something else meanwhile.
  @Test("Bundles are played on their sample, or at once if they are late")
  func bundles() throws {
    let late = try tenTries { (try playsBundles(), "a period was late") }
    #expect(late.isEmpty)
  }

  /// Returns false if a period was late, so that the samples cannot be told.
  private func playsBundles() throws -> Bool {
    let file = Rig.file()
    let orchestra = """
      \(header())
      chn_k "level", 1, 2, 0, 0, 1
      instr 1
        klevel chnget "level"
        out upsamp(klevel)
      endin
      instr 2
        a1 init p4
        out a1
      endin
      """
    let stage = try OscStage(
      orchestra: orchestra, score: "i 1 0 3600", device: .named(Rig.name(["FILE=\(file)"])),
      isSampleAccurate: true, panel: Panel("None", from: .channels))
    let client = stage.client()
    func note(_ level: Float) -> [UInt8] {
      Packet.message("/note", [.i(2), .d(200 / 48000.0), .f(level)])
    }
    while stage.performance.frame < 10_000 { usleep(1000) }
    let (begin, tag) = (stage.performance.frame, Packet.tag(in: 0.5))
    func due(_ frames: Int) -> UInt64 { tag + UInt64(frames) << 32 / 48000 }
    // A bundle of bundles, then one in a packet of its own, which is sent later and is due earlier.
    let distances = [0, 1003, 2049, 3333, 14_001]
    client.send(
      Packet.bundle(
        OscMessage.now,
        distances.map { Packet.bundle(due($0), [note(0.5)]) }
          + [
            Packet.bundle(due(20_000), [note(0.25), Packet.message("/level", [.f(0.125)])]),
            Packet.bundle(due(24_000), [Packet.message("/level", [.f(0)])]),
          ]))
    usleep(150_000)
    client.send(Packet.bundle(due(10_000), [note(0.5)]))
    usleep(1_000_000)
    let late = stage.performance.frame
    client.send(Packet.bundle(Packet.tag(in: -3), [note(0.75)]))
    usleep(300_000)
    client.send(Packet.bundle(Packet.tag(in: 600), [note(0.9)]))
    #expect(client.error()?.contains("more than a minute") == true)
    stage.performance.stop()
    guard try #require(stage.performance.status).xruns == 0 else { return false }
    let sound = try Rig.samples(of: file)
    func begins(_ level: Float) -> [Int] {
      sound.indices.filter { sound[$0] == level && ($0 == 0 || sound[$0 - 1] != level) }
    }
    let found = begins(0.5)
    let first = try #require(found.first)
    let expected = (distances + [10_000]).sorted().map { first + $0 }
    #expect(found == expected)
    #expect(abs(first - begin - 24_000) < 480, "\(first) for \(begin + 24_000)")
    // The value is there from the beginning of the k-cycle with its frame.
    let cycle = (first + 20_000) / 64 * 64
    #expect(begins(0.375) == [first + 20_000], "\(begins(0.375)) \(first)")
    #expect(sound.firstIndex { $0 == 0.125 || $0 == 0.375 } == cycle)
    #expect(sound.lastIndex(of: 0.125) == (first + 24_000) / 64 * 64 - 1)
    #expect(stage.values.all["level"]?.number == 0)
    let soon = try #require(begins(0.75).first)
    #expect(soon > late - 4096 && soon < late + 9600, "\(soon) for \(late)")
    return true
  }
}
