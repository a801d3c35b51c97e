public import CCsound
import Foundation
import OpcodeKit
public import Panels
import Synchronization

/// The widgets that the FL opcodes of one Csound have made.
///
/// The opcodes write into it in the init pass; what they show is read from any thread.
public final class WidgetBoard: @unchecked Sendable {
  /// What a handle stands for: the widget's place in the panel, and its cell where it has a value.
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
  /// The groups that are open, the innermost last.
  private var groups: [String] = []
  /// What `FLcolor` and `FLlabel` have set for the widgets that follow.
  var color, background, textColor: PanelColor?
  var fontSize: Double?
  /// Snapshots by their numbers: a value for each cell, in the order of the list.
  var snapshots: [Int: [Double]] = [:]
  /// The handles of each slider bank's sliders.
  var banks: [[Int]] = []

  private init(_ csound: UnsafeMutablePointer<CSOUND>) { self.csound = csound }

  deinit {
    while let cell = firstCell {
      firstCell = cell.pointee.next
      cell.deallocate()
    }
  }

  // MARK: One for each Csound

  private static let boards = Mutex<[UInt: WidgetBoard]>([:])

  /// Registers the FL opcodes with a Csound and gives the board they write to. Until the Csound's next reset.
  @discardableResult
  public static func install(in csound: UnsafeMutablePointer<CSOUND>) -> WidgetBoard {
    let board = WidgetBoard(csound)
    boards.withLock { $0[UInt(bitPattern: csound)] = board }
    WidgetLibrary.install(in: csound)
    _ = csound.pointee.RegisterResetCallback(csound, nil) { csound, _ in
      WidgetBoard.boards.withLock { $0[UInt(bitPattern: csound)] = nil }
      return 0
    }
    // `boards` keeps it until the reset that ends these calls, too.
    csoundRegisterSenseEventCallback(
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
    csoundTableSet(csound, cell.table, cell.tableIndex, cell.seen)
  }

  private func startNote(_ cell: WidgetCell) {
    // A number of an instrument beyond 32 bits crashes Csound.
    guard let event = cell.event, abs(event[1].value) < Double(Int32.max) else { return }
    withUnsafeTemporaryAllocation(of: Double.self, capacity: event.count - 1) { fields in
      for index in 1..<event.count { fields[index - 1] = event[index].value }
      csoundScoreEvent(csound, CChar(UInt8(ascii: "i")), fields.baseAddress, fields.count)
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

  func leaveOut(_ name: String, _ reason: String) { change { $0.leaveOut(name, reason: reason) } }

  /// Values between two: 0 linear, -1 exponential. A table as the curve is not followed.
  func range(_ minimum: Double, _ maximum: Double, exponent: Double) -> ValueRange {
    var range = ValueRange(minimum, maximum)
    if exponent == -1 && minimum * maximum > 0 { range.curve = .exponential }
    if exponent > 0 || exponent < -1 {
      leaveOut("iexp", "A table as the curve of a widget is not followed; it is linear.")
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

  /// Whether the innermost open group is one of pages.
  var isInTabs: Bool {
    guard let last = groups.last else { return false }
    return model.withLock { $0.panel.groups.last { $0.id == last }?.kind == .tabs }
  }

  func close() { _ = groups.popLast() }

  // MARK: Widgets

  /// A control channel of this Csound for a widget of this name.
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
    let type =
      CSOUND_CONTROL_CHANNEL.rawValue | CSOUND_INPUT_CHANNEL.rawValue
      | CSOUND_OUTPUT_CHANNEL.rawValue
    guard csoundGetChannelPtr(csound, &place, name, Int32(type)) == 0, let place else {
      // A channel of another type has this name.
      return makeChannel(label + " ", kind)
    }
    return (name, place)
  }

  /// Adds a widget and its cells; returns the handle of the first, or of the widget that has none.
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

  /// What a handle that the orchestra gives stands for; nil where it stands for none.
  func item(_ handle: Double) -> Item? {
    guard let index = Int(exactly: handle.rounded()), items.indices.contains(index) else {
      return nil
    }
    return items[index]
  }

  /// Takes a variable and p-fields back whose memory goes.
  static func release(_ handle: Int, _ context: Context) {
    let board = boards.withLock { $0[UInt(bitPattern: context.instance)] }
    guard let board, board.items.indices.contains(handle) else { return }
    board.items[handle].cell?.pointee.variable = nil
    board.items[handle].cell?.pointee.event = nil
  }

  func cell(_ handle: Double) -> UnsafeMutablePointer<WidgetCell>? { item(handle)?.cell }
}

/// Where a widget lies; nil where the orchestra leaves any of it to be laid out.
func widgetBounds(
  _ x: InitInput, _ y: InitInput, _ width: InitInput, _ height: InitInput
) -> PanelBounds? {
  guard x.value >= 0, y.value >= 0, width.value > 0, height.value > 0 else { return nil }
  return PanelBounds(x.value, y.value, width.value, height.value).finite
}

/// `iopcode` and the p-fields of the note that a widget starts; nil where it starts none: 0 and 105, which is
/// `i`, mean one.
func startedNote(_ event: Variadic<ControlInput>) -> Variadic<ControlInput>? {
  event.count > 1 && event[0].value >= 0 ? event : nil
}

extension StringInput {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension AnyInput {
  /// The text of a string; empty for the number of one, which is not looked up.
  var text: String { string?.text ?? "" }
}
