import PanelServer
import Panels
import Testing

@Suite("What a panel's server knows")
struct StateTests {
  private static var state: PanelState {
    var panel = Panel("Two", from: .file)
    panel.add(PanelWidget(.slider, channels: ["a"], ranges: [ValueRange(0, 2)]))
    panel.add(PanelWidget(.slider, channels: ["a"], ranges: [ValueRange(-1, 1)]))
    panel.add(PanelWidget(.meter, channels: ["b"]))
    return PanelState(panel)
  }

  @Test("A channel takes what any of its widgets can set; what is only shown takes nothing")
  func bounds() {
    let state = Self.state
    #expect(state.channels.map(\.name) == ["a", "b"])
    #expect(state.channels[0].bounds == -1...2)
    #expect(state.channels[1].bounds == nil)
  }

  @Test("What the piece still has of before is no news; what it has later is")
  func settling() {
    var state = Self.state
    state.observe(0, 0, at: 0, hasAdvanced: true)
    #expect(state.channels[0].value == .number(0))
    state.set(0, to: .number(1), by: 7, at: 1)
    // Cycles from before the change.
    state.observe(0, 0, at: 1.01, hasAdvanced: true)
    #expect(state.channels[0].value == .number(1))
    // A drag: the piece is always a little behind.
    state.set(0, to: .number(1.5), by: 7, at: 1.02)
    state.observe(0, 1, at: 1.03, hasAdvanced: true)
    #expect(state.channels[0].value == .number(1.5))
    state.observe(0, 1.5, at: 1.04, hasAdvanced: true)
    state.observe(0, 0.5, at: 1.05, hasAdvanced: true)
    #expect(state.channels[0].value == .number(0.5))
    #expect(state.channels[0].author == 0)
  }

  @Test("A piece that does not take a value overrules it, but not while it stands still")
  func overruling() {
    var state = Self.state
    state.observe(0, 0, at: 0, hasAdvanced: true)
    state.set(0, to: .number(1), by: 7, at: 1)
    state.observe(0, 0, at: 2, hasAdvanced: false)
    #expect(state.channels[0].value == .number(1))
    state.observe(0, 0, at: 2.1, hasAdvanced: true)
    #expect(state.channels[0].value == .number(0))
  }

  @Test("A client hears the latest of what changed since, and nothing of its own")
  func news() {
    var state = Self.state
    state.set(0, to: .number(1), by: 7, at: 0)
    state.set(0, to: .number(2), by: 7, at: 0)
    state.set(1, to: .number(3), by: 0, at: 0)
    #expect(state.news(since: 0, for: 8).map(\.name) == ["a", "b"])
    #expect(state.news(since: 1, for: 8).first?.value == .number(2))
    #expect(state.news(since: 1, for: 7).map(\.name) == ["b"])
    #expect(state.news(since: state.lastChange, for: 8).isEmpty)
  }
}
