import HarnessBase
import Panels

/// Where the widgets and groups of a panel are to lie, by their identifiers: x, y, width and height in pixels.
struct PanelLayout: Codable, Equatable {
  var widgets: [String: [Double]] = [:]
  var groups: [String: [Double]] = [:]
  var size: [Double]?

  private static let greatest = 10_000.0

  /// The panel with this layout and the source `file`. Throws if a number is missing or out of range.
  func applied(to panel: Panel) throws(Failure) -> Panel {
    var panel = panel
    panel.source = .file
    for place in panel.widgets.indices {
      guard let bounds = widgets[panel.widgets[place].id] else { continue }
      panel.widgets[place].bounds = try Self.bounds(bounds)
    }
    for place in panel.groups.indices {
      guard let bounds = groups[panel.groups[place].id] else { continue }
      panel.groups[place].bounds = try Self.bounds(bounds)
    }
    if let size {
      guard size.count == 2 else { throw Self.misread }
      let bounds = try Self.bounds([0, 0] + size)
      panel.size = PanelSize(bounds.width, bounds.height)
    }
    return panel
  }

  private static func bounds(_ numbers: [Double]) throws(Failure) -> PanelBounds {
    guard numbers.count == 4, numbers.allSatisfy({ abs($0) <= greatest }),
      numbers[2] > 0, numbers[3] > 0
    else { throw misread }
    return PanelBounds(numbers[0], numbers[1], numbers[2], numbers[3])
  }

  private static let misread = Failure.usage(
    "A place in a layout is x, y, width and height, the last two above 0 and none beyond"
      + " \(Int(greatest)) pixels.")
}
