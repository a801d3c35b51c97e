import OpcodeKit
import Panels

/// A bank of sliders, as the arguments of its opcode describe it.
struct SliderBank {
  var names = ""
  let count: InitInput
  let table: InitInput
  let start: InitInput
  let isVertical: Bool
  let bounds: PanelBounds?
  /// The range of a slider, by its number from 0.
  let range: (Int) -> ValueRange

  func add(_ context: Context) throws(OpcodeError) {
    guard count.value >= 1, count.value <= 1024 else {
      throw OpcodeError(argument: "inumsliders", is: count.value, mustBe: "from 1 to 1024.")
    }
    let board = WidgetBoard.of(context)
    let number = Int(whole: count.value)
    if table.value == 0 { board.leaveOut("ioutable", "The zak space is not written.") }
    let labels = names.split(separator: "@", omittingEmptySubsequences: false).map {
      String($0.drop(while: { $0 == " " }))
    }
    var handles: [Int] = []
    for place in 0..<number {
      let label = place < labels.count && !labels[place].isEmpty ? labels[place] : "\(place)"
      let (channel, memory) = board.makeChannel(label, .slider)
      var widget = PanelWidget(
        .slider, label: label, channels: [channel], ranges: [range(place)],
        bounds: part(place, of: number))
      widget.isVertical = isVertical
      var cell = Valuator.cell(board, memory, nil, range(place))
      if table.value > 0 {
        cell.table = Int32(whole: table.value)
        cell.tableIndex = Int32(whole: start.value + Double(place))
      }
      handles.append(board.add(widget, [cell]))
    }
    board.banks.append(handles)
  }

  private func part(_ place: Int, of number: Int) -> PanelBounds? {
    bounds.map { whole in
      let (width, height) = (whole.width / Double(number), whole.height / Double(number))
      return isVertical
        ? PanelBounds(whole.x + Double(place) * width, whole.y, width, whole.height)
        : PanelBounds(whole.x, whole.y + Double(place) * height, whole.width, height)
    }
  }
}

/// A value of a table; nil if the table or the index does not exist.
func tableValue(_ table: InitInput, _ index: Int, _ context: Context) -> Double? {
  guard table.value > 0, index >= 0,
    let table = context.table(table.value), index < table.count
  else { return nil }
  return table[index]
}

func sliderRange(
  _ limits: InitInput, _ exponents: InitInput, _ place: Int, _ context: Context
) -> ValueRange {
  let exponent = exponents.value > 0 ? tableValue(exponents, place, context) ?? 0 : exponents.value
  return WidgetBoard.of(context).range(
    tableValue(limits, 2 * place, context) ?? 0, tableValue(limits, 2 * place + 1, context) ?? 1,
    exponent: exponent)
}
