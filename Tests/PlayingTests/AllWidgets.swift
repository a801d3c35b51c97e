import Panels
import TestSupport

/// A piece that is heard and seen to do what each widget says: its channels go out as sound, one each, and
/// events are counted.
enum AllWidgets {
  /// Numbers that are heard on outputs 1, 2, …
  static let heard = [
    "slider", "knob", "number", "low", "high", "x", "y", "hold", "on", "wave", "mode",
  ]

  static let orchestra = """
    \(header(channels: 11))
    gistrikes init 0
    giwave ftgen 1, 0, 4096, 10, 1
    chn_k "bar 1", 3
    chn_k "bar 2", 3
    chn_k "bar 3", 3
    chn_k "place", 3
    massign 1, 6
    \(heard.map { "chn_k \"\($0)\", 3" }.joined(separator: "\n"))
    chn_k "tone", 3
    chn_k "steps", 3
    chn_k "go", 3
    chn_S "name", 3
    instr 1
    \(heard.enumerated().map { "k\($0.0 + 1) chnget \"\($0.1)\"\noutch \($0.0 + 1), a(k\($0.0 + 1))" }.joined(separator: "\n"))
      kgo chnget "go"
      kbefore init 0
      kcycles init 0
      kpulses init 0
      kcycles = kcycles + (kgo == 1 ? 1 : 0)
      kpulses = kpulses + (kgo == 1 && kbefore == 0 ? 1 : 0)
      kbefore = kgo
      chnset kcycles, "cycles"
      chnset kpulses, "pulses"
      Sname chnget "name"
      kletters strlenk Sname
      chnset kletters, "letters"
      kfive active 5
      ksix active 6
      keight active 8
      chnset kfive, "notes"
      chnset ksix, "midi notes"
      chnset keight, "drones"
      kx chnget "x"
      outvalue "shown", kx*2
      outvalue "told", "as told"
    endin
    instr 5
      chnset p4, "key"
    endin
    instr 6
      inote notnum
      chnset inote, "midi key"
    endin
    instr 7
      gistrikes += 1
      chnset gistrikes, "strikes"
    endin
    instr 8
    endin
    """

  static let panel: Panel = {
    var panel = Panel("All widgets", from: .file)
    func add(
      _ kind: WidgetKind, _ id: String, _ channels: [String], _ ranges: [ValueRange] = [],
      _ change: (inout PanelWidget) -> Void = { _ in }
    ) {
      var widget = PanelWidget(kind, id: id, label: "The \(id)", channels: channels, ranges: ranges)
      change(&widget)
      panel.add(widget)
    }
    add(.slider, "slider", ["slider"], [ValueRange(initial: 0.25)])
    add(.slider, "tone", ["tone"], [ValueRange(20, 20000, initial: 100, curve: .exponential)])
    add(.slider, "steps", ["steps"], [ValueRange(0, 16, step: 1)])
    add(.knob, "knob", ["knob"], [ValueRange(initial: 0.5)])
    add(.number, "number", ["number"], [ValueRange(0, 1, initial: 0.5, step: 0.01)])
    add(.range, "range", ["low", "high"], [ValueRange(initial: 0.2), ValueRange(initial: 0.8)])
    add(.pad, "pad", ["x", "y"], [ValueRange(initial: 0.5), ValueRange(initial: 0.5)])
    add(.button, "hold", ["hold"])
    add(.momentary, "go", ["go"])
    add(.switch, "on", ["on"]) { $0.on = 0.75 }
    add(.menu, "wave", ["wave"]) {
      $0.options = [
        PanelOption("sine", 0.125), PanelOption("saw", 0.25), PanelOption("square", 0.5),
      ]
    }
    add(.radio, "mode", ["mode"]) {
      $0.options = [PanelOption("soft", 0.125), PanelOption("hard", 0.625)]
    }
    add(.field, "name", ["name"])
    add(.label, "shown", ["shown"], [ValueRange(0, 2)]) { $0.precision = 3 }
    add(.label, "told", ["told"])
    add(.meter, "meter", ["shown"], [ValueRange(0, 2)])
    add(.event, "strike", []) { $0.press = ["i 7 0 0.01"] }
    add(.event, "drone", []) {
      $0.press = ["i 8.1 0 -1"]
      $0.release = ["i -8.1 0 0"]
    }
    add(.keyboard, "keys", []) { $0.keys = PanelKeys(instrument: 5) }
    add(.keyboard, "piano", []) { $0.keys = PanelKeys(low: 60, count: 12) }
    add(.table, "wavetable", ["place"]) { $0.tables = [1] }
    add(.surface, "bars", ["bar 1", "bar 2", "bar 3"])
    add(.text, "words", []) { $0.text = "Words" }
    add(.console, "console", [])
    return panel
  }()
}
