import CsoundLive
import TestPages
import Foundation
import HarnessBase
import Panels
import Playing
import TestSupport
import Testing

/// Controllers of a learner, as `play` has them.
private struct Learned: PanelControllers {
  let learner: MIDILearner

  init(_ performance: Performance) {
    learner = MIDILearner { entry, _ in try? performance.add(entry.value) }
  }

  var bindings: PanelBindings {
    PanelBindings(
      Dictionary(
        learner.map.entries.map { ($0.value.name, Int($0.controller)) }, uniquingKeysWith: max),
      waiting: learner.wish?.channel)
  }

  func learn(_ wish: ChannelWish?) { learner.learn(wish) }

  func forget(_ channel: String) throws(Failure) {
    guard learner.forget(channel) else { throw .usage("No controller sets it.") }
  }

  func move(_ controller: UInt8, _ position: UInt8) {
    learner.take(.controller(controller, position))
  }
}

@Suite("MIDI controllers of a panel", .serialized)
struct LearnTests {
  private static func stage(learns: Bool = true) throws -> (Stage, Learned) {
    var panel = Panel("Learning", from: .file)
    panel.add(
      PanelWidget(
        .slider, id: "cut", channels: ["FL:Cut off"],
        ranges: [ValueRange(20, 20_000, initial: 20, curve: .exponential)]))
    panel.add(
      PanelWidget(
        .pad, id: "pad", channels: ["x", "y"], ranges: [ValueRange(), ValueRange(-1, 1)]))
    panel.add(PanelWidget(.text, id: "text"))
    var learned: Learned?
    let stage = try Stage(
      panel,
      controllers: learns
        ? { performance in
          learned = Learned(performance)
          return learned!
        } : nil)
    return (stage, learned ?? Learned(stage.performance))
  }

  @Test("A channel learns the controller that is moved, with its widget's range and curve")
  func learning() throws {
    let (stage, learned) = try Self.stage()
    let client = try stage.client()
    client.say(#"{"type":"learn","channel":"FL:Cut off","id":1}"#)
    #expect(client.message("done") != nil)
    #expect(learned.bindings.waiting == "FL:Cut off")
    learned.move(74, 3)
    learned.move(74, 127)
    try stage.expect("FL:Cut off", 20_000)
    learned.move(74, 0)
    try stage.expect("FL:Cut off", 20)
    #expect(learned.learner.map.entries.first?.curve == .exponential)
    var told = client.message("controllers")
    while told?["waiting"] is String || (told?["controllers"] as? [String: Int])?.isEmpty == true {
      told = client.message("controllers")
    }
    #expect(told?["controllers"] as? [String: Int] == ["FL:Cut off": 74])
    client.say(#"{"type":"forget","channel":"FL:Cut off"}"#)
    told = client.message("controllers")
    #expect(told?["controllers"] as? [String: Int] == [:])
    learned.move(74, 64)
    learned.move(74, 65)
    try stage.expect("FL:Cut off", 20)
  }

  @Test("The controllers a source gives its widgets move them, those that make sense")
  func fromTheSource() throws {
    let panel = try PiecePanel.panel(
      of: """
        <Cabbage>
        form size(300, 200)
        hslider channel("cut"), range(20, 20000, 100), midiCtrl(2, 74)
        hslider channel("odd"), range(0, 1, 0), midiCtrl(1, 200)
        checkbox channel("on"), midictrl(0, 64)
        </Cabbage>
        """, title: "Cabbage")
    #expect(
      ControllerMap(panel).entries.map(\.text) == ["74@2=cut:20..20000:lin", "64=on:0..1:lin"])
  }

  @Test("What cannot learn is refused in a sentence")
  func refusals() throws {
    let (stage, learned) = try Self.stage()
    let client = try stage.client()
    client.say(#"{"type":"learn","channel":"none"}"#)
    #expect(client.message("refused")?["reason"] as? String == "The panel has no channel 'none'.")
    client.say(#"{"type":"forget","channel":"x"}"#)
    #expect(client.message("refused")?["reason"] as? String == "No controller sets it.")
    #expect(learned.bindings == PanelBindings([:], waiting: nil))
    let (deaf, _) = try Self.stage(learns: false)
    let other = try deaf.client()
    other.say(#"{"type":"learn","channel":"x"}"#)
    #expect(
      other.message("refused")?["reason"] as? String
        == "There is no MIDI to learn from; play with --midi SOURCE.")
  }

  @Test("In the browser: point at a control, move a controller; once more frees it", .inBrowser)
  func pointing() throws {
    let (stage, learned) = try Self.stage()
    let page = try BrowserPage(stage.server.url)
    try page.wait(for: "!document.getElementById('learn').hidden")
    try page.click("#learn")
    try page.click("[data-id=cut] .track", 0.5)
    try page.wait(for: "document.querySelector('[data-id=cut]').matches('.waiting')")
    // Pointing has moved nothing.
    try stage.expect("FL:Cut off", 20)
    learned.move(7, 0)
    learned.move(7, 127)
    try page.wait(for: "document.querySelector('[data-id=cut]').dataset.controllers === 'cc 7'")
    try page.wait(for: "panelConnection.value('FL:Cut off') === 20000")
    // A pad's channels one after the other, by keys too.
    try page.focus("[data-id=pad] [tabindex='0']")
    try page.key("Enter")
    try page.wait(for: "document.querySelector('[data-id=pad]').matches('.waiting')")
    #expect(learned.bindings.waiting == "x")
    try page.click("[data-id=pad] .plane")
    #expect(waits { learned.bindings.waiting == "y" })
    learned.move(8, 1)
    learned.move(8, 0)
    try page.wait(for: "document.querySelector('[data-id=pad]').dataset.controllers === 'cc 8'")
    try stage.expect("y", -1)
    try page.click("[data-id=cut] .track")
    try page.wait(
      for: "document.querySelector('[data-id=cut]').dataset.controllers === undefined")
    try page.click("[data-id=text]")
    #expect(learned.bindings == PanelBindings(["y": 8], waiting: nil))
    try page.click("#learn")
    try page.click("[data-id=cut] .track", 0.5)
    try page.wait(for: "Math.abs(panelConnection.value('FL:Cut off') - 632) < 60")
    #expect(page.complaints.isEmpty, "\(page.complaints)")
  }
}
