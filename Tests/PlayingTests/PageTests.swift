import TestPages
import Foundation
import Panels
import TestSupport
import Testing

/// What a finger, a keyboard and a screen reader find on the page.
@Suite("Pages on a phone, a tablet and a desk", .serialized, .inBrowser)
struct PageTests {
  static func instrument(_ name: String) throws -> Panel {
    try #require(try PanelFile(forPiece: "\(root)/csd/instruments/\(name).csd").read())
  }

  /// Every width with light and dark pages, or usually a phone's and a desk's, one light and one dark.
  static let views =
    runsAllTests ? PageView.all : [PageView(390, .light), PageView(1280, .dark)]

  @Test("The instruments have no faults", arguments: ["organ", "vcs3"], views)
  func instruments(name: String, view: PageView) throws {
    let folder = ProcessInfo.processInfo.environment["OPCODEKIT_PICTURES"]
    let check = try PageCheck(
      of: Self.instrument(name), in: view,
      picture: folder.map { "\($0)/\(name)-\(view.width)-\(view.scheme.rawValue).png" },
      asksAxe: true)
    #expect(check.texts > 40 && check.controls > 40)
    #expect(check.lines.isEmpty)
  }

  @Test("A panel of every kind of widget has no faults", arguments: views)
  func everyKind(view: PageView) throws {
    for isPlaced in [false, true] {
      var panel = AllWidgets.panel
      for place in panel.widgets.indices where isPlaced {
        panel.widgets[place].bounds = PanelBounds(
          Double(place % 5) * 210, Double(place / 5) * 130, 200, 120)
      }
      // As it looks while it is recorded and paused.
      let pressed = """
        for (const id of ['stage', 'record', 'pause']) document.getElementById(id).hidden = false;
        for (const id of ['record', 'pause']) document.getElementById(id).ariaPressed = 'true';
        """
      let check = try PageCheck(of: panel, in: view, after: pressed, asksAxe: true)
      #expect(check.controls > 15)
      #expect(check.lines.isEmpty, "placed: \(isPlaced)")
    }
  }

  /// What breaks a page, and the lists that must then have a line each.
  struct Damage: CustomStringConvertible {
    let description: String
    let script: String
    var needsAxe = false
    let lists: @Sendable (PageCheck) -> [Int]

    static let all = [
      Damage(
        description: "a dark text, a narrow button without focus, names and a value that lack",
        script: """
          const text = document.querySelector('panel-text:not(.empty)');
          text.style.color = '#999';
          text.style.background = '#777';
          document.querySelector('#panic').style.cssText =
            'min-width: 0; width: 30px; outline: none !important; box-shadow: none !important';
          const sliders = [...document.querySelectorAll('[role=slider]')];
          for (const one of sliders.slice(0, 2)) one.ariaLabel = 'Same';
          sliders[0].removeAttribute('aria-valuenow');
          """
      ) { [$0.faint, $0.small, $0.alike, $0.wrong, $0.unfocused].map(\.count) },
      Damage(
        description: "a layer over a slider",
        script: """
          const one = document.querySelector('panel-slider');
          const layer = document.createElement('div');
          one.parentElement.append(layer);
          one.parentElement.style.position = 'relative';
          layer.style.cssText = 'position: absolute; z-index: 9; inset: 0; background: #000';
          """
      ) { [$0.covered.count] },
      Damage(
        description: "a slider without a name",
        script: """
          const one = document.querySelector('[role=slider]');
          one.removeAttribute('aria-label');
          one.replaceChildren();
          """, needsAxe: true
      ) { [$0.wrong.count] },
      Damage(
        description: "a heading without room, a stop of the Tab key at every text, seven screens",
        script: """
          document.querySelector('h1').textContent = 'A tonewheel organ of three manuals '.repeat(9);
          for (let number = 0; number < 41; number++) {
            const stop = document.createElement('button');
            stop.textContent = `Stop ${number}`;
            document.querySelector('footer').append(stop);
          }
          document.querySelector('footer').style.marginTop = '600vh';
          """
      ) { check in
        [
          check.cut.count, check.tabStops > PageCheck.mostTabStops ? 1 : 0,
          check.screens > PageCheck.mostScreens ? 1 : 0,
        ]
      },
      Damage(
        description: "a page that is too wide",
        script: "document.querySelector('footer').style.minWidth = '150vw'"
      ) { [$0.sideways > 1 ? 1 : 0] },
    ]
  }

  @Test("A broken page is found", arguments: Damage.all)
  func broken(damage: Damage) throws {
    let panel = try Self.instrument("organ")
    let view = PageView(390, .light)
    if damage.needsAxe, let lack = Axe.lack { try Test.cancel("\(lack)") }
    let check = try PageCheck(of: panel, in: view, after: damage.script, asksAxe: damage.needsAxe)
    let counts = damage.lists(check)
    #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
    #expect(!check.lines.isEmpty)
  }

  @Test(
    "Of one large panel the Tab key stops at forty places at most, and arrow keys reach the rest")
  func roving() throws {
    var panel = Panel("Many", from: .file)
    panel.size = PanelSize(1000, 800)
    for number in 0..<110 {
      let (x, y) = (Double(number % 15) * 66, Double(number / 15) * 90)
      panel.add(
        PanelWidget(
          .knob, label: "K", channels: ["k\(number)"],
          ranges: [ValueRange(0, 127, initial: 0, step: 1)], bounds: PanelBounds(x, y, 60, 80)))
    }
    let check = try PageCheck(of: panel, in: PageView(1280, .dark))
    #expect(check.lines.isEmpty)
    let stage = try Stage(panel)
    let page = try BrowserPage(stage.server.url, in: PageView(1280, .light))
    let first = try #require(
      try page.text("document.querySelector('.dial[tabindex=\"0\"]').closest('.widget').dataset.id")
    )
    try page.focus("[data-id='\(first)'] .dial")
    try page.key("ArrowRight")
    // The next knob has the focus, and the way back to it.
    #expect(
      try page.text("document.activeElement.closest('.widget').dataset.id") == panel.widgets[1].id)
    #expect(try page.number("document.activeElement.tabIndex") == 0)
    // A step of the control's own.
    try page.key("ArrowUp")
    try stage.expect("k1", 1)
    try page.key("PageUp")
    try stage.expect("k1", 14)
  }

  @Test("Of a knob the way that it can go is seen on the panel's own ground")
  func knobs() throws {
    let stage = try Stage(Self.instrument("vcs3"))
    for scheme in [PageView.Scheme.light, .dark] {
      let page = try BrowserPage(stage.server.url, in: PageView(1280, scheme))
      let contrast = try page.number(
        """
        (() => {
          const knob = document.querySelector('panel-knob.grounded .back');
          const paint = document.createElement('canvas').getContext('2d');
          const light = ['var(--own-back)', getComputedStyle(knob).stroke].map(color => {
            paint.fillStyle = color.startsWith('var')
              ? getComputedStyle(knob.closest('.grounded')).getPropertyValue('--own-back') : color;
            paint.fillRect(0, 0, 1, 1);
            return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3).reduce((sum, part, index) =>
              sum + [0.2126, 0.7152, 0.0722][index] * (part / 255) ** 2.2, 0.05);
          });
          return Math.max(...light) / Math.min(...light);
        })()
        """)
      #expect(try #require(contrast) > 2, "\(scheme)")
    }
  }

  @Test("Of the matrix the Tab key reaches one pin, and arrow keys go to all sides")
  func matrix() throws {
    let stage = try Stage(Self.instrument("vcs3"))
    for view in [PageView(390, .light), PageView(1280, .light)] {
      let page = try BrowserPage(stage.server.url, in: view)
      #expect(
        try page.number(
          "document.querySelectorAll('.matrix [tabindex=\"0\"], .matrix button:not([tabindex])').length"
        ) == 1)
      try page.focus("[data-id=B2] button")
      for (key, pin) in [
        ("ArrowRight", "C2"), ("ArrowDown", "C3"), ("ArrowLeft", "B3"), ("ArrowUp", "B2"),
      ] {
        try page.key(key)
        #expect(try page.text("document.activeElement.closest('.widget').dataset.id") == pin)
      }
    }
  }

  @Test(
    "A text beside a control names it, and is its caption in a list, not twice where it is drawn")
  func captions() throws {
    var panel = Panel("Captions", from: .bsbPanel)
    panel.size = PanelSize(600, 300)
    func text(_ words: String, _ bounds: PanelBounds) {
      var text = PanelWidget(.text, bounds: bounds)
      text.text = words
      panel.add(text)
    }
    // Each caption below its slider, so that it lies above the next one, too.
    for (row, name) in ["Pitch", "Loop End"].enumerated() {
      let y = 10 + 47 * Double(row)
      text(name, PanelBounds(10, y + 20, 100, 26))
      panel.add(
        PanelWidget(
          .slider, id: "slider\(row)", channels: ["s\(row)"], bounds: PanelBounds(10, y, 400, 27)))
    }
    var radio = PanelWidget(.radio, id: "radio", channels: ["r"])
    radio.bounds = PanelBounds(430, 10, 20, 80)
    (radio.columns, radio.options) = (1, [PanelOption("0", 0), PanelOption("1", 1)])
    panel.add(radio)
    text("Saw", PanelBounds(455, 20, 60, 20))
    text("Square", PanelBounds(455, 60, 60, 20))
    let stage = try Stage(panel)
    for (view, isList) in [(PageView(390, .light), true), (PageView(1280, .light), false)] {
      let page = try BrowserPage(stage.server.url, in: view)
      let names =
        "[...document.querySelectorAll('[role=slider], [type=radio]')].map(one => one.ariaLabel)"
      #expect(try page.text("\(names).join()") == "Pitch,Loop End,Saw,Square")
      // Shown once each, by the control or by the text.
      let shown =
        "[...document.querySelectorAll('.borrowing .name, .choice')].filter(one => one.checkVisibility())"
      #expect(try page.number("\(shown).length") == (isList ? 4 : 0))
      let texts =
        "[...document.querySelectorAll('panel-text')].filter(one => one.checkVisibility())"
      #expect(try page.number("\(texts).length") == (isList ? 0 : 4))
    }
  }

  @Test("What a later box or text would cover is drawn above it")
  func uncovered() throws {
    var panel = Panel("Covered", from: .cabbage)
    panel.size = PanelSize(400, 200)
    panel.add(
      PanelWidget(
        .knob, id: "knob", label: "Knob", channels: ["k"], bounds: PanelBounds(20, 20, 60, 80)))
    var text = PanelWidget(.text, bounds: PanelBounds(0, 40, 200, 40))
    (text.text, text.background) = ("A heading", PanelColor(20, 20, 40))
    panel.add(text)
    panel.add(
      PanelWidget(
        .slider, id: "slider", label: "Slider", channels: ["s"],
        bounds: PanelBounds(220, 20, 100, 30)))
    var box = PanelGroup(.box, id: "box", label: "Box", bounds: PanelBounds(210, 0, 180, 190))
    (box.above, box.color) = ("slider", PanelColor(200, 30, 30))
    panel.groups = [box]
    let check = try PageCheck(of: panel, in: PageView(1280, .light))
    #expect(check.lines.isEmpty)
  }

  @Test("On a phone drawbars and pins lie side by side, and two fingers play keys of two manuals")
  func phone() throws {
    let organ = try Self.instrument("organ")
    let keys = (1...3).map { "instr \($0)\n  chnset p4, \"key\($0)\"\nendin" }
    let stage = try Stage(
      """
      \(header())
      chn_k "key1", 3
      chn_k "key2", 3
      \(keys.joined(separator: "\n"))
      instr 10
      endin
      """, score: "i 10 0 3600", organ)
    let page = try BrowserPage(stage.server.url, in: PageView(390, .light))
    let rows = try page.number(
      """
      new Set([...document.querySelectorAll('[data-id^=upper]:is(panel-slider)')]
        .map(one => Math.round(one.getBoundingClientRect().top))).size
      """)
    #expect(rows == 1)
    // A list shows the colours of the source, too.
    let colors = try page.evaluate(
      """
      ['upper16', 'upper8'].map(id => document.querySelector(`[data-id=${id}]`))
        .map(one => [getComputedStyle(one, '::before').backgroundColor, getComputedStyle(one).getPropertyValue('--own-ink')])
      """)
    for pair in try #require(colors as? [[String]]) {
      let digits = pair[0].matches(of: /\d+/).map { Int($0.output)! }
      #expect("#" + digits.map { String(format: "%02x", $0) }.joined() == pair[1].lowercased())
    }
    // Bars of at most 120 pixels; one keyboard stays below the registration, and buttons show the others.
    let bars =
      "document.querySelector('header').offsetHeight + document.querySelector('#stage').offsetHeight"
    #expect(try #require(try page.number(bars)) <= 120)
    let keyboards =
      "[...document.querySelectorAll('panel-keyboard')].filter(one => one.checkVisibility())"
    #expect(try page.text("\(keyboards).map(one => one.spec.id).join()") == "upperKeys")
    for name in ["Lower manual", "Pedals"] { try page.click("#dock [aria-label='Show \(name)']") }
    #expect(try page.number("\(keyboards).length") == 3)
    _ = try page.place("[data-id=lowerKeys] .keys")
    let upper = try page.place("[data-id=upperKeys] [data-key='38']", 0.5, 0.85)
    let lower = try page.place("[data-id=lowerKeys] [data-key='40']", 0.5, 0.85)
    let above = try page.place("[data-id=upperKeys] [data-key='38']", 0.5, 0.85)
    #expect(upper.x == above.x)
    try page.touch("touchStart", [(1, above.x, above.y), (2, lower.x, lower.y)])
    try stage.expect("key1", 38)
    try stage.expect("key2", 40)
    try page.touch("touchEnd", [])
    // The buttons move along the keys.
    let place = "document.querySelector('[data-id=pedalKeys] .keys').scrollLeft"
    let before = try #require(try page.number(place))
    try page.click("[data-id=pedalKeys] .octaves button:last-child")
    try page.wait(for: "\(place) > \(before) + 300")
    #expect(page.complaints.isEmpty, "\(page.complaints)")
    // Held across, the bars share a line, and a manual's drawbars are seen whole above the keys.
    let across = try BrowserPage(stage.server.url, width: 844, height: 390, isTouch: true)
    let places =
      "['header', '#stage', '[data-id=upper4]', '.docked'].map(one => document.querySelector(one).getBoundingClientRect())"
    #expect(
      try across.evaluate(
        "(([title, bar, drawbar, keys]) => title.top === bar.top && bar.bottom < 60 && drawbar.bottom <= keys.top)(\(places))"
      ) as? Bool == true)
  }
}
