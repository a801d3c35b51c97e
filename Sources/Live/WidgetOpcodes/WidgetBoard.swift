public import CCsound
import Foundation
import OpcodeKit
public import Panels
import Synchronization

/// The widgets that the FL opcodes of one Csound instance have made.
///
/// The opcodes add widgets in the init pass; any thread may read `panel`.
public final class WidgetBoard: WidgetMaker, @unchecked Sendable {
  /// What a handle stands for: the widget, as its index in the panel, and its cell, nil if it has no value.
  struct Item {
    let widget: Int
    let cell: UnsafeMutablePointer<WidgetCell>?
  }

  private struct Model {
    var panel = Panel("", from: .fltk)
    /// Grows with every change.
    var revision = 0
  }

  private let model = Mutex(Model())
  private let csound: UnsafeMutablePointer<CSOUND>
  private var channelNames: Set<String> = []
  private(set) var items: [Item] = []
  private var firstCell, lastCell: UnsafeMutablePointer<WidgetCell>?
  /// The identifiers of the groups that are open, the innermost last.
  private var groups: [String] = []
  /// What `FLcolor` and `FLlabel` have set for the widgets that follow.
  var color, background, textColor: PanelColor?
  var fontSize: Double?
  /// Snapshots by number: the value of each cell that snapshots keep, in the order the widgets were made.
  var snapshots: [Int: [Double]] = [:]
  /// The handles of each slider bank's sliders.
  var banks: [[Int]] = []

  /// What `cabbageGet` answers with.
  let properties: CabbageProperties

  private init(_ csound: UnsafeMutablePointer<CSOUND>, _ properties: CabbageProperties) {
    (self.csound, self.properties) = (csound, properties)
  }

  deinit {
    while let cell = firstCell {
      firstCell = cell.pointee.next
      cell.deallocate()
    }
  }

  // MARK: One board for each Csound instance

  private static let boards = Mutex<[UInt: WidgetBoard]>([:])

  /// Registers the opcodes with a Csound instance, unless that is done, and returns the board they write to. Both last
  /// until the instance's next reset. `csd` is the text of the piece that the instance is going to compile.
  @discardableResult
  public static func install(
    in csound: UnsafeMutablePointer<CSOUND>, for csd: String = ""
  ) -> WidgetBoard {
    if let board = boards.withLock({ $0[UInt(bitPattern: csound)] }) { return board }
    let board = WidgetBoard(csound, CabbageProperties(of: csd))
    boards.withLock { $0[UInt(bitPattern: csound)] = board }
    WidgetLibrary.install(in: csound)
    _ = csound.pointee.RegisterResetCallback(csound, nil) { csound, _ in
      WidgetBoard.boards.withLock { $0[UInt(bitPattern: csound)] = nil }
      return 0
    }
    // The unretained pointer is safe: `boards` keeps the board until the reset, which also ends these callbacks.
    ccs_before_cycles(
      csound,
      { _, board in
        Unmanaged<WidgetBoard>.fromOpaque(board!).takeUnretainedValue().exchange()
      }, Unmanaged.passUnretained(board).toOpaque())
    return board
  }

  static func of(_ context: Context) -> WidgetBoard {
    boards.withLock { $0[UInt(bitPattern: context.instance)]! }
  }

  /// Called by Csound before each k-cycle.
  private func exchange() {
    var next = firstCell
    while let cell = next {
      next = cell.pointee.next
      cell.pointee.exchange()
      if cell.pointee.isNew, cell.pointee.table > 0 { write(cell.pointee) }
      cell.pointee.isNew = false
      guard cell.pointee.startsNote else { continue }
      cell.pointee.startsNote = false
      startNote(cell.pointee)
    }
  }

  private func write(_ cell: WidgetCell) {
    guard cell.tableIndex >= 0, cell.tableIndex < csoundTableLength(csound, cell.table) else {
      return
    }
    ccs_set_table_element(csound, cell.table, cell.tableIndex, cell.seen)
  }

  private func startNote(_ cell: WidgetCell) {
    // An instrument number beyond 32 bits crashes Csound.
    guard let event = cell.event, abs(event[1].value) < Double(Int32.max) else { return }
    withUnsafeTemporaryAllocation(of: Double.self, capacity: event.count - 1) { fields in
      for index in 1..<event.count { fields[index - 1] = event[index].value }
      ccs_play_event(csound, Int32(UInt8(ascii: "i")), fields.baseAddress, fields.count)
    }
  }

  // MARK: The panel

  /// What the opcodes have made so far, and a number that grows with every change.
  public var panel: (panel: Panel, revision: Int) {
    model.withLock { ($0.panel, $0.revision) }
  }

  func change(_ body: (inout Panel) -> Void) {
    model.withLock { model in
      body(&model.panel)
      model.revision += 1
    }
  }

  /// Notes the value that a widget begins with, if it has none. No page has to be shown anew because of it.
  func begin(_ handle: Double, with value: Double) {
    guard let item = item(handle), let first = items.firstIndex(where: { $0.widget == item.widget })
    else { return }
    let index = Int(handle.rounded()) - first
    model.withLock { model in
      guard model.panel.widgets[item.widget].ranges.indices.contains(index) else { return }
      let before = model.panel.widgets[item.widget].ranges[index].initial
      model.panel.widgets[item.widget].ranges[index].initial = before ?? value
    }
  }

  func leaveOut(_ name: String, _ reason: String) { change { $0.leaveOut(name, reason: reason) } }

  /// The range of a widget. `exponent` 0: linear; -1: exponential, if both ends have the same sign. Any other number is
  /// a table, which is not supported: the range is linear, and the panel says so.
  func range(_ minimum: Double, _ maximum: Double, exponent: Double) -> ValueRange {
    var range = ValueRange(minimum, maximum)
    if exponent == -1 && minimum * maximum > 0 { range.curve = .exponential }
    if exponent > 0 || exponent < -1 {
      leaveOut("iexp", "A table as a widget's curve is not supported; the widget is linear.")
    }
    return range
  }

  // MARK: Groups

  func open(_ kind: PanelGroup.Kind, _ label: String, _ bounds: PanelBounds?) {
    change { panel in
      let id = "\(kind.rawValue)-\(panel.groups.count + 1)"
      var group = PanelGroup(kind, id: id, label: label, parent: groups.last, bounds: bounds)
      group.color = kind == .window ? background : nil
      panel.groups.append(group)
      if kind == .window && panel.title.isEmpty { panel.title = label }
      groups.append(id)
    }
  }

  /// Whether the innermost open group is a set of tabs.
  var isInTabs: Bool {
    guard let last = groups.last else { return false }
    return model.withLock { $0.panel.groups.last { $0.id == last }?.kind == .tabs }
  }

  func close() { _ = groups.popLast() }

  // MARK: Widgets

  /// The type of a channel that is read and written.
  static func channelType(_ type: controlChannelType = CSOUND_CONTROL_CHANNEL) -> Int32 {
    Int32(type.rawValue | CSOUND_INPUT_CHANNEL.rawValue | CSOUND_OUTPUT_CHANNEL.rawValue)
  }

  /// Makes a control channel for a widget. It is named `FL:` and the label, with a number if that name is taken.
  func makeChannel(_ label: String, _ kind: WidgetKind) -> (
    name: String, UnsafeMutablePointer<Double>
  ) {
    let base = "FL:" + (label.isEmpty ? kind.rawValue : label)
    var (name, number) = (base, 1)
    while !channelNames.insert(name).inserted {
      number += 1
      name = "\(base) \(number)"
    }
    var place: UnsafeMutablePointer<Double>?
    guard ccs_channel(csound, &place, name, Self.channelType()) == 0, let place else {
      // The orchestra has a channel of another type with this name.
      return makeChannel(label + " ", kind)
    }
    return (name, place)
  }

  /// Adds a widget and its cells. Each cell has a handle, as has a widget without cells; returns the first handle.
  @discardableResult
  func add(_ widget: PanelWidget, _ cells: [WidgetCell] = []) -> Int {
    let handle = items.count
    change { panel in
      var widget = widget
      widget.group = groups.last
      widget.color = widget.color ?? (widget.kind == .text ? textColor : color)
      widget.background = widget.background ?? background
      widget.fontSize = widget.fontSize ?? fontSize
      panel.add(widget)
      let place = panel.widgets.count - 1
      if cells.isEmpty { items.append(Item(widget: place, cell: nil)) }
      for cell in cells {
        let memory = UnsafeMutablePointer<WidgetCell>.allocate(capacity: 1)
        memory.initialize(to: cell)
        if let lastCell { lastCell.pointee.next = memory } else { firstCell = memory }
        lastCell = memory
        items.append(Item(widget: place, cell: memory))
      }
    }
    return handle
  }

  /// The item of a handle that the orchestra gives; nil if there is none.
  func item(_ handle: Double) -> Item? {
    guard let index = Int(exactly: handle.rounded()), items.indices.contains(index) else {
      return nil
    }
    return items[index]
  }

  /// Stops using the variable and p-fields of an opcode whose instrument's memory is about to be freed.
  static func release(_ handle: Int, _ context: Context) {
    let board = boards.withLock { $0[UInt(bitPattern: context.instance)] }
    guard let board, board.items.indices.contains(handle) else { return }
    board.items[handle].cell?.pointee.variable = nil
    board.items[handle].cell?.pointee.event = nil
  }

  func cell(_ handle: Double) -> UnsafeMutablePointer<WidgetCell>? { item(handle)?.cell }
}

/// An opcode with a widget whose cell uses the opcode's variable and p-fields.
protocol WidgetOpcode: InitOpcode { var handle: Int { get } }

extension WidgetOpcode {
  func finish(_ arguments: Arguments, _ context: Context) { WidgetBoard.release(handle, context) }
}

/// The position and size of a widget in pixels; nil if the orchestra leaves any of the four to the page, as it does
/// with a negative `ix` or `iy`, or with a width or height not above 0.
func widgetBounds(
  _ x: InitInput, _ y: InitInput, _ width: InitInput, _ height: InitInput
) -> PanelBounds? {
  guard x.value >= 0, y.value >= 0, width.value > 0, height.value > 0 else { return nil }
  return PanelBounds(x.value, y.value, width.value, height.value).finite
}

/// `iopcode` and the p-fields of the note that a widget starts; nil if it starts none, which an `iopcode` below 0
/// means.
func startedNote(_ event: Variadic<ControlInput>) -> Variadic<ControlInput>? {
  event.count > 1 && event[0].value >= 0 ? event : nil
}

extension StringInput {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension AnyInput {
  /// The text of a string; empty for a number, as strings are not looked up by number.
  var text: String { string?.text ?? "" }
}
