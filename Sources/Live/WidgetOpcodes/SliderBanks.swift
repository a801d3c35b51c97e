// Banks of sliders whose values are written to a table.
//
// FLslidBnk Snames, inumsliders [, ioutable, iwidth, iheight, ix, iy, itype, iexp, istart, iminmax]
// FLslidBnk2 Snames, inumsliders, ioutable, iconfig [, iwidth, iheight, ix, iy, istart]
//
// Names are separated by @. The zak space (`ioutable` 0) is not written.

import OpcodeKit
import Panels

/// Which way sliders move.
protocol SliderDirection { static var isVertical: Bool { get } }
enum Sideways: SliderDirection { static var isVertical: Bool { false } }
enum Upright: SliderDirection { static var isVertical: Bool { true } }

@Opcode("FLslidBnk", "Sliders of a panel, their values in a table", Sideways.self)
@Opcode("FLvslidBnk", "Sliders of a panel, their values in a table", Upright.self)
struct Sliders<Direction: SliderDirection>: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The names. The number of a string is not looked up; the sliders are numbered then.
    let names: AnyInput
    let count: InitInput
    /// The table the values go to.
    @Default(0) let table: InitInput
    /// Pixels.
    @Default(0) let width, height, x, y: InitInput
    /// Not used.
    @Default(0) let types: InitInput
    /// 0 linear, -1 exponential; above 0, a table with one of these for each slider.
    @Default(0) let exponents: InitInput
    /// The table's index for the first slider's value.
    @Default(0) let start: InitInput
    /// A table with the least and the greatest value of each slider; without one the range is 0 to 1.
    @Default(0) let limits: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try SliderBank(
      names: arguments.names.text, count: arguments.count, table: arguments.table,
      start: arguments.start,
      isVertical: Direction.isVertical,
      bounds: widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height),
      range: { sliderRange(arguments.limits, arguments.exponents, $0, context) }
    ).add(context)
  }
}

@Opcode("FLslidBnk2", "Sliders of a panel, their values in a table", Sideways.self)
@Opcode("FLvslidBnk2", "Sliders of a panel, their values in a table", Upright.self)
struct ConfiguredSliders<Direction: SliderDirection>: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The names. The number of a string is not looked up; the sliders are numbered then.
    let names: AnyInput
    let count: InitInput
    /// The table the values go to.
    let table: InitInput
    /// A table with four values for each slider: least value, greatest value, exponent, look (not used).
    let configuration: InitInput
    /// Pixels.
    @Default(0) let width, height, x, y: InitInput
    /// The table's index for the first slider's value.
    @Default(0) let start: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try SliderBank(
      names: arguments.names.text, count: arguments.count, table: arguments.table,
      start: arguments.start,
      isVertical: Direction.isVertical,
      bounds: widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height),
      range: { place in
        WidgetBoard.of(context).range(
          tableValue(arguments.configuration, 4 * place, context) ?? 0,
          tableValue(arguments.configuration, 4 * place + 1, context) ?? 1,
          exponent: tableValue(arguments.configuration, 4 * place + 2, context) ?? 0)
      }
    ).add(context)
  }
}
