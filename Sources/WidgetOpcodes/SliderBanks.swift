// Banks of sliders whose values go to the places of a table.
//
// FLslidBnk Snames, inumsliders [, ioutable, iwidth, iheight, ix, iy, itype, iexp, istart, iminmax]
// FLslidBnk2 Snames, inumsliders, ioutable, iconfig [, iwidth, iheight, ix, iy, istart]
//
// Names are parted by @. The zak space (`ioutable` 0) is not written.

import OpcodeKit
import Panels

/// What a bank's opcode says of it.
private struct SliderBank {
  var names = ""
  let count: InitInput
  let table: InitInput
  let start: InitInput
  let isVertical: Bool
  let bounds: PanelBounds?
  /// The range of a slider by its number.
  let range: (Int) -> ValueRange

  func add(_ context: Context) throws(OpcodeError) {
    guard count.value >= 1, count.value <= 1024 else {
      throw OpcodeError(argument: "inumsliders", is: count.value, mustBe: "from 1 to 1024.")
    }
    let board = WidgetBoard.of(context)
    let number = Int(count.value)
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
        cell.table = Int32(table.value)
        cell.tableIndex = Int32(place + Int(start.value))
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

/// A value of a table that may be missing.
private func entry(_ table: InitInput, _ index: Int, _ context: Context) -> Double? {
  guard table.value > 0, let table = context.table(table.value), index < table.count else {
    return nil
  }
  return table[index]
}

private func range(
  _ limits: InitInput, _ exponents: InitInput, _ place: Int, _ context: Context
) -> ValueRange {
  let exponent = exponents.value > 0 ? entry(exponents, place, context) ?? 0 : exponents.value
  return WidgetBoard.of(context).range(
    entry(limits, 2 * place, context) ?? 0, entry(limits, 2 * place + 1, context) ?? 1,
    exponent: exponent)
}

/// Sets sliders of a bank to values of a table.
private func set(
  _ handle: InitInput, _ table: InitInput, _ startIndex: InitInput, _ startSlider: InitInput,
  _ count: InitInput, _ context: Context
) {
  let board = WidgetBoard.of(context)
  guard let bank = Int(exactly: handle.value), board.banks.indices.contains(bank) else { return }
  let sliders = board.banks[bank].dropFirst(Int(max(0, startSlider.value)))
  let number = count.value > 0 ? Int(count.value) : sliders.count
  for (place, slider) in sliders.prefix(number).enumerated() {
    guard let value = entry(table, Int(startIndex.value) + place, context) else { return }
    board.items[slider].cell?.pointee.set(value)
  }
}

@Opcode("FLslidBnk", "Sliders of a panel, their values in a table")
struct Sliders: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let names: StringInput
    let count: InitInput
    /// The table the values go to.
    @Default(0) let table: InitInput
    /// Pixels.
    @Default(0) let width: InitInput
    @Default(0) let height: InitInput
    @Default(0) let x: InitInput
    @Default(0) let y: InitInput
    /// Not used.
    @Default(0) let types: InitInput
    /// 0 linear, -1 exponential, or a table with that for each.
    @Default(0) let exponents: InitInput
    /// The place of the first value.
    @Default(0) let start: InitInput
    /// A table with the least and the greatest value of each.
    @Default(0) let limits: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try SliderBank(
      names: arguments.names.text, count: arguments.count, table: arguments.table,
      start: arguments.start,
      isVertical: false,
      bounds: bounds(arguments.x, arguments.y, arguments.width, arguments.height),
      range: { range(arguments.limits, arguments.exponents, $0, context) }
    ).add(context)
  }
}

@Opcode("FLslidBnk.number", "Sliders of a panel, their values in a table")
struct NumberedSliders: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The number of a string; the sliders are numbered.
    let names: InitInput
    let count: InitInput
    /// The table the values go to.
    @Default(0) let table: InitInput
    /// Pixels.
    @Default(0) let width: InitInput
    @Default(0) let height: InitInput
    @Default(0) let x: InitInput
    @Default(0) let y: InitInput
    /// Not used.
    @Default(0) let types: InitInput
    /// 0 linear, -1 exponential, or a table with that for each.
    @Default(0) let exponents: InitInput
    /// The place of the first value.
    @Default(0) let start: InitInput
    /// A table with the least and the greatest value of each.
    @Default(0) let limits: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try SliderBank(
      names: "", count: arguments.count, table: arguments.table, start: arguments.start,
      isVertical: false,
      bounds: bounds(arguments.x, arguments.y, arguments.width, arguments.height),
      range: { range(arguments.limits, arguments.exponents, $0, context) }
    ).add(context)
  }
}

@Opcode("FLvslidBnk", "Sliders of a panel, their values in a table")
struct UprightSliders: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let names: StringInput
    let count: InitInput
    /// The table the values go to.
    @Default(0) let table: InitInput
    /// Pixels.
    @Default(0) let width: InitInput
    @Default(0) let height: InitInput
    @Default(0) let x: InitInput
    @Default(0) let y: InitInput
    /// Not used.
    @Default(0) let types: InitInput
    /// 0 linear, -1 exponential, or a table with that for each.
    @Default(0) let exponents: InitInput
    /// The place of the first value.
    @Default(0) let start: InitInput
    /// A table with the least and the greatest value of each.
    @Default(0) let limits: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try SliderBank(
      names: arguments.names.text, count: arguments.count, table: arguments.table,
      start: arguments.start,
      isVertical: true,
      bounds: bounds(arguments.x, arguments.y, arguments.width, arguments.height),
      range: { range(arguments.limits, arguments.exponents, $0, context) }
    ).add(context)
  }
}

@Opcode("FLvslidBnk.number", "Sliders of a panel, their values in a table")
struct NumberedUprightSliders: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The number of a string; the sliders are numbered.
    let names: InitInput
    let count: InitInput
    /// The table the values go to.
    @Default(0) let table: InitInput
    /// Pixels.
    @Default(0) let width: InitInput
    @Default(0) let height: InitInput
    @Default(0) let x: InitInput
    @Default(0) let y: InitInput
    /// Not used.
    @Default(0) let types: InitInput
    /// 0 linear, -1 exponential, or a table with that for each.
    @Default(0) let exponents: InitInput
    /// The place of the first value.
    @Default(0) let start: InitInput
    /// A table with the least and the greatest value of each.
    @Default(0) let limits: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try SliderBank(
      names: "", count: arguments.count, table: arguments.table, start: arguments.start,
      isVertical: true,
      bounds: bounds(arguments.x, arguments.y, arguments.width, arguments.height),
      range: { range(arguments.limits, arguments.exponents, $0, context) }
    ).add(context)
  }
}

@Opcode("FLslidBnk2", "Sliders of a panel, their values in a table")
struct ConfiguredSliders: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let names: StringInput
    let count: InitInput
    /// The table the values go to, and the table with least value, greatest value, exponent and look of each.
    let table: InitInput
    let configuration: InitInput
    /// Pixels.
    @Default(0) let width: InitInput
    @Default(0) let height: InitInput
    @Default(0) let x: InitInput
    @Default(0) let y: InitInput
    /// The place of the first value.
    @Default(0) let start: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try SliderBank(
      names: arguments.names.text, count: arguments.count, table: arguments.table,
      start: arguments.start,
      isVertical: false,
      bounds: bounds(arguments.x, arguments.y, arguments.width, arguments.height),
      range: { place in
        WidgetBoard.of(context).range(
          entry(arguments.configuration, 4 * place, context) ?? 0,
          entry(arguments.configuration, 4 * place + 1, context) ?? 1,
          exponent: entry(arguments.configuration, 4 * place + 2, context) ?? 0)
      }
    ).add(context)
  }
}

@Opcode("FLslidBnk2.number", "Sliders of a panel, their values in a table")
struct NumberedConfiguredSliders: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The number of a string; the sliders are numbered.
    let names: InitInput
    let count: InitInput
    /// The table the values go to, and the table with least value, greatest value, exponent and look of each.
    let table: InitInput
    let configuration: InitInput
    /// Pixels.
    @Default(0) let width: InitInput
    @Default(0) let height: InitInput
    @Default(0) let x: InitInput
    @Default(0) let y: InitInput
    /// The place of the first value.
    @Default(0) let start: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try SliderBank(
      names: "", count: arguments.count, table: arguments.table, start: arguments.start,
      isVertical: false,
      bounds: bounds(arguments.x, arguments.y, arguments.width, arguments.height),
      range: { place in
        WidgetBoard.of(context).range(
          entry(arguments.configuration, 4 * place, context) ?? 0,
          entry(arguments.configuration, 4 * place + 1, context) ?? 1,
          exponent: entry(arguments.configuration, 4 * place + 2, context) ?? 0)
      }
    ).add(context)
  }
}

@Opcode("FLvslidBnk2", "Sliders of a panel, their values in a table")
struct ConfiguredUprightSliders: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let names: StringInput
    let count: InitInput
    /// The table the values go to, and the table with least value, greatest value, exponent and look of each.
    let table: InitInput
    let configuration: InitInput
    /// Pixels.
    @Default(0) let width: InitInput
    @Default(0) let height: InitInput
    @Default(0) let x: InitInput
    @Default(0) let y: InitInput
    /// The place of the first value.
    @Default(0) let start: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try SliderBank(
      names: arguments.names.text, count: arguments.count, table: arguments.table,
      start: arguments.start,
      isVertical: true,
      bounds: bounds(arguments.x, arguments.y, arguments.width, arguments.height),
      range: { place in
        WidgetBoard.of(context).range(
          entry(arguments.configuration, 4 * place, context) ?? 0,
          entry(arguments.configuration, 4 * place + 1, context) ?? 1,
          exponent: entry(arguments.configuration, 4 * place + 2, context) ?? 0)
      }
    ).add(context)
  }
}

@Opcode("FLvslidBnk2.number", "Sliders of a panel, their values in a table")
struct NumberedConfiguredUprightSliders: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The number of a string; the sliders are numbered.
    let names: InitInput
    let count: InitInput
    /// The table the values go to, and the table with least value, greatest value, exponent and look of each.
    let table: InitInput
    let configuration: InitInput
    /// Pixels.
    @Default(0) let width: InitInput
    @Default(0) let height: InitInput
    @Default(0) let x: InitInput
    @Default(0) let y: InitInput
    /// The place of the first value.
    @Default(0) let start: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try SliderBank(
      names: "", count: arguments.count, table: arguments.table, start: arguments.start,
      isVertical: true,
      bounds: bounds(arguments.x, arguments.y, arguments.width, arguments.height),
      range: { place in
        WidgetBoard.of(context).range(
          entry(arguments.configuration, 4 * place, context) ?? 0,
          entry(arguments.configuration, 4 * place + 1, context) ?? 1,
          exponent: entry(arguments.configuration, 4 * place + 2, context) ?? 0)
      }
    ).add(context)
  }
}

@Opcode("FLslidBnkGetHandle", "The number of the last bank of sliders")
struct BankHandle: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let handle: InitOutput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.handle.value = Double(WidgetBoard.of(context).banks.count - 1)
  }
}

@Opcode("FLslidBnkSet", "Sets sliders of a bank to values of a table")
struct SetBank: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let handle, table: InitInput
    /// The first value of the table, the first slider, and how many; 0: all.
    @Default(0) let startIndex: InitInput
    @Default(0) let startSlider: InitInput
    @Default(0) let count: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    set(
      arguments.handle, arguments.table, arguments.startIndex, arguments.startSlider,
      arguments.count, context)
  }
}

@Opcode("FLslidBnk2Set", "Sets sliders of a bank to values of a table")
struct SetConfiguredBank: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let handle, table: InitInput
    /// The first value of the table, the first slider, and how many; 0: all.
    @Default(0) let startIndex: InitInput
    @Default(0) let startSlider: InitInput
    @Default(0) let count: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    set(
      arguments.handle, arguments.table, arguments.startIndex, arguments.startSlider,
      arguments.count, context)
  }
}

@Opcode("FLslidBnkSetk", "Would set sliders of a bank to values of a table, in performance")
struct SetBankControl: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let trigger: ControlInput
    let handle, table: InitInput
    /// The first value of the table, the first slider, and how many; 0: all.
    @Default(0) let startIndex: InitInput
    @Default(0) let startSlider: InitInput
    @Default(0) let count: InitInput
  }

  // Once: what the table holds in the init pass.
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).leaveOut("FLslidBnkSetk", "It sets the sliders in the init pass only.")
    set(
      arguments.handle, arguments.table, arguments.startIndex, arguments.startSlider,
      arguments.count, context)
  }
}

@Opcode("FLslidBnk2Setk", "Would set sliders of a bank to values of a table, in performance")
struct SetConfiguredBankControl: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let trigger: ControlInput
    let handle, table: InitInput
    /// The first value of the table, the first slider, and how many; 0: all.
    @Default(0) let startIndex: InitInput
    @Default(0) let startSlider: InitInput
    @Default(0) let count: InitInput
  }

  // Once: what the table holds in the init pass.
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).leaveOut("FLslidBnk2Setk", "It sets the sliders in the init pass only.")
    set(
      arguments.handle, arguments.table, arguments.startIndex, arguments.startSlider,
      arguments.count, context)
  }
}

@Opcode("FLhvsBox", "Would show a plane of snapshots")
struct SnapshotPlane: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let handle: InitOutput
    let columns, rows, width, height, x, y: InitInput
    @Default(0) let image: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let board = WidgetBoard.of(context)
    board.leaveOut("FLhvsBox", "The plane of snapshots is not drawn.")
    arguments.handle.value = Double(board.add(PanelWidget(.panel)))
  }
}

@Opcode("FLhvsBoxSetValue", "Would show a place in a plane of snapshots")
struct SetSnapshotPlane: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let x, y: ControlInput
    let handle: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
}
