import Foundation
import Panels
import Playing
import TestSupport
import Testing

/// A button is let go while the piece stands still, so that the piece cannot have noticed that it was down; then
/// the panel is replaced.
@Suite("A panel that is replaced while a button is let go")
struct ReplacedPanelTests {
  private static let orchestra = """
    \(header(ksmps: 32))
    chn_k "a", 3
    chn_k "b", 3
    chn_k "go", 3
    instr 1
      k1 chnget "go"
    endin
    """

  private static func panel(_ sliders: [String], button: String?) -> Panel {
    var panel = Panel("Panel", from: .file)
    for name in sliders { panel.add(PanelWidget(.slider, id: name, channels: [name])) }
    if let button { panel.add(PanelWidget(.button, id: "go", channels: [button])) }
    return panel
  }

  @Test(
    "Its channel is set to off, another panel's channels keep their values, and the server goes on",
    arguments: [
      panel(["a"], button: nil), panel(["a", "b"], button: "go"),
      panel(["b", "go", "a"], button: nil), panel([], button: "go"),
    ])
  func replaced(later: Panel) throws {
    let stage = try Stage(Self.orchestra, Self.panel(["a", "b"], button: "go"))
    let client = try stage.client()
    #expect(client.message("hello") != nil)
    client.say(#"{"type":"set","channel":"a","value":0.75}"#)
    client.say(#"{"type":"set","channel":"b","value":0.25}"#)
    try stage.expect("b", 0.25)
    stage.performance.pause()
    usleep(200_000)
    client.say(#"{"type":"hold","widget":"go","down":true}"#)
    client.say(#"{"type":"hold","widget":"go","down":false}"#)
    usleep(100_000)
    stage.server.show(later)
    #expect(client.message("hello") != nil)
    stage.performance.resume()
    try stage.expect("go", 0)
    usleep(300_000)
    try stage.expect("go", 0)
    try stage.expect("a", 0.75)
    try stage.expect("b", 0.25)
    client.say(#"{"type":"release","id":7}"#)
    #expect(client.message("done") != nil)
  }
}
