import TestPages
import Foundation
import Panels
import Testing

/// Texts of panels against what is behind them, in the browser: at least 4.5 to 1, as WCAG 2 asks for.
@Suite("Texts can be read", .serialized, .inBrowser)
struct ContrastTests {
  @Test("Of any colour that a piece chooses, on any other", arguments: PageTests.views)
  func chosen(view: PageView) throws {
    let colors = [
      PanelColor(0, 0, 0), PanelColor(120, 120, 120), PanelColor(140, 140, 140),
      PanelColor(255, 255, 255), PanelColor(200, 30, 30), PanelColor(240, 230, 40),
      PanelColor(20, 40, 200), PanelColor(90, 200, 90, alpha: 0.5),
    ]
    for background in [colors[0], colors[1], colors[3], colors[4]] {
      var panel = Panel("Colours", from: .file)
      panel.size = PanelSize(700, 720)
      panel.background = background
      for (column, behind) in colors.enumerated() {
        for (row, color) in colors.enumerated() {
          let (x, y) = (10 + 85 * Double(column), 10 + 88 * Double(row))
          var text = PanelWidget(.text, bounds: PanelBounds(x, y, 80, 20))
          text.text = "Words"
          var slider = PanelWidget(
            .slider, label: "Level", channels: ["s\(column)\(row)"],
            ranges: [ValueRange(0, 1, initial: 0.4)], bounds: PanelBounds(x, y + 22, 80, 26))
          var button = PanelWidget(
            .switch, label: "On", channels: ["b\(column)\(row)"],
            bounds: PanelBounds(x, y + 52, 80, 26))
          (text.color, slider.color, button.color) = (color, color, color)
          (text.background, slider.background, button.background) = (behind, behind, behind)
          for widget in [text, slider, button] { panel.add(widget) }
        }
      }
      let check = try PageCheck(of: panel, in: view)
      #expect(check.texts > 200)
      #expect(check.faint.isEmpty, "\(check.faint)")
    }
  }

  @Test("Across light and dark a text gets a background of its own, and only such a text")
  func across() throws {
    var panel = Panel("Across", from: .file)
    panel.size = PanelSize(300, 100)
    panel.background = PanelColor(255, 255, 255)
    var dark = PanelWidget(.panel, bounds: PanelBounds(0, 0, 60, 100))
    dark.background = PanelColor(0, 0, 0)
    panel.add(dark)
    for (y, x) in [(10.0, 20.0), (50, 100)] {
      var text = PanelWidget(.text, bounds: PanelBounds(x, y, 180, 30))
      text.text = "A long text that lies"
      panel.add(text)
    }
    let view = PageView(1280, .light)
    #expect(try PageCheck(of: panel, in: view).faint.isEmpty)
    let plain = "const backed = document.querySelectorAll('.backed'); "
    let count = try PageCheck(
      of: panel, in: view,
      after: plain + "if (backed.length !== 1) throw new Error(`${backed.length} backed`)")
    #expect(count.texts > 2)
  }

  @Test("A colour changes as little as makes the text readable")
  func least() throws {
    var panel = Panel("Least", from: .file)
    panel.size = PanelSize(300, 100)
    panel.background = PanelColor(255, 255, 255)
    for (place, color) in [PanelColor(160, 60, 60), PanelColor(200, 110, 110)].enumerated() {
      var text = PanelWidget(.text, bounds: PanelBounds(10, 10 + 40 * Double(place), 180, 30))
      (text.text, text.color) = ("Words", color)
      panel.add(text)
    }
    // The first is readable as it is; the second is still red.
    _ = try PageCheck(
      of: panel, in: PageView(1280, .light),
      after: """
        const [first, second] = [...document.querySelectorAll('panel-text')].map(one => getComputedStyle(one).color);
        const [red, green] = second.match(/\\d+/g).map(Number);
        if (first !== 'rgb(160, 60, 60)' || red < 150 || green < 60 || green > 100) throw new Error(`${first} ${second}`);
        """)
  }
}
