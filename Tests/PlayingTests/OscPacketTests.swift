import Foundation
import HarnessBase
import Playing
import TestSupport
import Testing

@Suite("Packets and patterns of OSC")
struct OscPacketTests {
  private func read(_ packet: [UInt8]) -> [OscMessage]? {
    packet.withUnsafeBytes { OscMessage.read($0) }
  }

  @Test("Arguments of every type are read, and bundles in bundles")
  func reading() throws {
    let all = Packet.message(
      "/a",
      [
        .i(-3), .h(1 << 40), .f(0.1), .d(0.1), .s("Bär"), .t(true), .t(false),
        .other("S", [88, 0, 0, 0]), .other("N", []), .other("c", [0, 0, 0, 65]),
      ])
    let message = try #require(read(all)?.first)
    #expect(
      message.arguments == [
        .number(-3), .number(Double(1 << 40)), .number(0.1), .number(0.1), .text("Bär"),
        .number(1), .number(0), .text("X"), .other("N"), .other("c"),
      ])
    #expect(message.address == "/a" && message.time == OscMessage.now)
    let inner = Packet.bundle(900, [Packet.message("/b"), Packet.message("/c")])
    let nested = try #require(
      read(Packet.bundle(500, [Packet.message("/a"), inner, Packet.bundle(7, [inner, all])])))
    #expect(nested.map(\.address) == ["/a", "/b", "/c", "/b", "/c", "/a"])
    // A bundle in another is not due before it.
    #expect(nested.map(\.time) == [500, 900, 900, 900, 900, 500])
    #expect(read(Packet.bundle(1, [])) == [])
  }

  @Test("What is no packet is refused whole")
  func malformed() {
    let good = Packet.message("/a", [.i(1)])
    for (name, packet) in [
      ("nothing", []), ("text", Array("hello, world".utf8)), ("an end", Array(good.dropLast())),
      ("more", good + [0, 0, 0, 0]), ("no slash", Packet.message("a", [.i(1)])),
      ("no types", [47, 97, 0, 0, 0, 0, 0, 0]),
      ("unknown type", Packet.message("/a", [.other("x", [])])),
      ("a blob without size", Packet.message("/a", [.other("b", [])])),
      ("a blob", Packet.message("/a", [.other("b", [0, 0, 0, 0])])),
      ("a part of a bundle", Array(Packet.bundle(1, [good]).dropLast(4))),
      ("a bad part", Packet.bundle(1, [good, [1, 2, 3, 4, 5, 6, 7, 8]])),
      ("too deep", (0..<40).reduce(good) { packet, _ in Packet.bundle(1, [packet]) }),
    ] as [(String, [UInt8])] {
      #expect(read(packet) == nil, "\(name)")
    }
    #expect(read((0..<12).reduce(good) { packet, _ in Packet.bundle(1, [packet]) })?.count == 1)
  }

  @Test("Damaged packets are read or refused, and never do harm")
  func damage() {
    var generator = SeededGenerator(seed: 39)
    let good = [
      Packet.message("/channel", [.s("level"), .f(0.5)]),
      Packet.bundle(1, [Packet.message("/a", [.s("x"), .d(1)]), Packet.bundle(2, [])]),
      Packet.message("/event", [.s("i"), .i(1), .h(0), .t(true), .d(1)]),
    ]
    var refused = 0
    for number in 0..<20_000 {
      let packet = damaged(good[number % 3], &generator)
      if read(packet) == nil { refused += 1 }
    }
    #expect((2000..<19_500).contains(refused), "\(refused)")
  }

  @Test(
    "Patterns match as OSC 1.0 says",
    arguments: [
      (
        "/osc{1,2}/level", ["/osc1/level", "/osc2/level"], ["/osc3/level", "/osc1/levels", "/osc"]
      ),
      ("/*", ["/a", "/abc", "/"], ["/a/b", ""]), ("/*/b", ["/a/b", "//b"], ["/b", "/a/c/b"]),
      ("/a?c", ["/abc", "/aäc"], ["/ac", "/a/c"]), ("/[a-c]", ["/a", "/c"], ["/d", "/-"]),
      ("/[!a-c]x", ["/dx"], ["/ax", "//x"]), ("/[c-a]", ["/b"], ["/d"]),
      ("/[a-]", ["/a", "/-"], ["/b"]), ("/{ab,a}b", ["/abb", "/ab"], ["/a", "/aab"]),
      ("/a{,b}", ["/a", "/ab"], ["/abb"]), ("/a*b*c", ["/abc", "/axxbyyc"], ["/ab", "/a/bc"]),
      ("/{lo,hi}*[0-9]", ["/lo9", "/hipass1"], ["/mid1", "/lo"]), ("/x", ["/x"], ["/y"]),
    ])
  func patterns(pattern: String, matching: [String], other: [String]) throws {
    let found = try #require(OscPattern(pattern))
    for address in matching { #expect(found.matches(address), "\(address)") }
    for address in other { #expect(!found.matches(address), "\(address)") }
  }

  @Test("A pattern with an open bracket is none, and no pattern takes long")
  func hardPatterns() throws {
    for text in ["/[a", "/{a,b", "/" + String(repeating: "a", count: 1024)] {
      #expect(OscPattern(text) == nil)
    }
    let many = try #require(OscPattern("/" + String(repeating: "*a", count: 400) + "b"))
    let start = ContinuousClock.now
    #expect(!many.matches("/" + String(repeating: "a", count: 1000)))
    #expect(start.duration(to: .now) < .seconds(2))
  }
}

/// A packet with one to four damages: bytes that are changed, left out, doubled, or cut off at the end.
func damaged(_ packet: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
  var packet = packet
  for _ in 0..<Int.random(in: 1...4, using: &generator) where !packet.isEmpty {
    let place = Int.random(in: packet.indices, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: packet[place] = UInt8.random(in: 0...255, using: &generator)
    case 1: packet[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2: packet.remove(at: place)
    case 3: packet.insert(packet[place], at: place)
    default: packet.removeLast(packet.count - place)
    }
  }
  return packet
}
