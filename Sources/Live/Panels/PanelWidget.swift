/// One widget of a panel.
public struct PanelWidget: Codable, Sendable, Equatable {
  /// Unique among the panel's widgets. If it is empty, `Panel.add` makes one.
  public var id: String
  public var kind: WidgetKind
  /// The name on the page and for screen readers. If it is empty, the page shows none, and screen readers say the
  /// channel's name.
  public var label: String
  /// The channels of its values. `WidgetKind` says how many there are and what each means. A value whose channel is
  /// empty is not sent.
  ///
  /// FL opcodes have variables instead of channels: their importer makes a channel for each and names it.
  public var channels: [String]
  /// The range of each of `channels`, in the same order; 0 to 1 if one is missing. For `button`, `switch`, `menu` and
  /// `radio` only `initial` is used.
  public var ranges: [ValueRange]
  /// For `menu` and `radio`: the choices. For `button`, `momentary`, `switch`, `event`: the captions when off and when
  /// on, or one for both; if empty, `label` is the caption.
  public var options: [PanelOption]
  /// For `radio`: how many of `options` are in a row; nil: as many as fit.
  public var columns: Int?
  /// For `button` and `switch`: the values when off and when on.
  public var off, on: Double
  /// Score lines such as `"i 1 0 2"`, sent when the widget is pressed or switched on, or a choice is made.
  public var press: [String]
  /// Score lines such as `"i -1 0 0"`, sent when the widget is released or switched off.
  public var release: [String]
  /// For `switch`: the name of a set. At most one switch of a set is on; switching one on switches the others off.
  public var exclusive: String?
  /// Digits after the decimal point; nil: as many as the range needs.
  public var precision: Int?
  /// For `surface` and `table`: the numbers of function tables.
  public var tables: [Int]
  /// For `keyboard`: its keys.
  public var keys: PanelKeys?
  /// For `slider`, `meter`, `range`: from bottom to top instead of from left to right.
  public var isVertical: Bool
  /// For `slider`: from right to left, or from top to bottom like a drawbar.
  public var isReversed: Bool
  /// Shows its channels' values and cannot be moved.
  public var isReadOnly: Bool
  /// For `text`: the text. For `field` and `file`: what the string channel is set to when the piece begins.
  public var text: String?
  /// The identifier of the group it is in; nil: the panel itself.
  public var group: String?
  /// Where it lies; nil: laid out automatically, after the widgets before it.
  public var bounds: PanelBounds?
  /// The colour of its moving part or its text, and the colour behind it; nil: the page's own.
  public var color, background: PanelColor?
  /// The size of its text in pixels; nil: the page's own.
  public var fontSize: Double?
  /// The MIDI controller that moves it.
  public var midi: PanelController?

  public init(
    _ kind: WidgetKind, id: String = "", label: String = "", channels: [String] = [],
    ranges: [ValueRange] = [], bounds: PanelBounds? = nil
  ) {
    (self.kind, self.id, self.label, self.channels) = (kind, id, label, channels)
    (self.ranges, self.bounds) = (ranges, bounds)
    (options, off, on, press, release, tables) = ([], 0, 1, [], [], [])
    (isVertical, isReversed, isReadOnly) = (false, false, false)
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(String.self, forKey: .id)
    kind = try values.decode(WidgetKind.self, forKey: .kind)
    (label, text) = try (values[.label] ?? "", values[.text])
    (channels, ranges) = try (values[.channels] ?? [], values[.ranges] ?? [])
    (options, columns) = try (values[.options] ?? [], values[.columns])
    (off, on) = try (values[.off] ?? 0, values[.on] ?? 1)
    (press, release) = try (values[.press] ?? [], values[.release] ?? [])
    (exclusive, precision) = try (values[.exclusive], values[.precision])
    (tables, keys) = try (values[.tables] ?? [], values[.keys])
    (isVertical, isReversed) = try (values[.isVertical] ?? false, values[.isReversed] ?? false)
    (isReadOnly, fontSize) = try (values[.isReadOnly] ?? false, values[.fontSize])
    (group, bounds, midi) = try (values[.group], values[.bounds], values[.midi])
    (color, background) = try (values[.color], values[.background])
  }

  /// Replaces numbers that are infinite or NaN: such bounds become nil, and the ends of a range become 0 and 1.
  public mutating func keepFinite() {
    for place in ranges.indices { ranges[place].keepFinite() }
    for place in options.indices { options[place].value = options[place].value.inJSON ?? 0 }
    off = off.inJSON ?? 0
    on = on.inJSON ?? 1
    bounds = bounds?.finite
    fontSize = fontSize?.inJSON
  }

  /// The range of the channel at this index of `channels`; 0 to 1 if it has none.
  public func range(_ index: Int) -> ValueRange {
    index < ranges.count ? ranges[index] : ValueRange()
  }
}

/// What a widget is. The widget's channels are in brackets.
public enum WidgetKind: String, Codable, Sendable, CaseIterable {
  /// A value along a line. [value]
  case slider
  /// A value on a dial. [value]
  case knob
  /// A value as a number that is typed or dragged. [value]
  case number
  /// Two values along one line, the first never above the second. [low, high]
  case range
  /// Two values in a plane. [x, from the left; y, from below]
  case pad
  /// `on` while it is held, then `off`. [value]; with no channel it only sends `press` and `release`.
  case button
  /// 1 for exactly one k-cycle each time it is pressed. [value]; with no channel it only sends `press`.
  case momentary
  /// Switches between `on` and `off`. [value]; sends `press` when it is switched on, `release` when switched off.
  case `switch`
  /// One of `options` from a list that opens. [value of the choice]
  case menu
  /// One of `options`, all of them shown. [value of the choice]
  case radio
  /// Shows a value with `precision`, or the text of a string channel. [value]
  case label
  /// Shows a value as a bar. [value]
  case meter
  /// A text that never changes, or a heading.
  case text
  /// A line of text that is typed. [string channel]
  case field
  /// A file by its path, typed. [string channel]
  case file
  /// Several sliders side by side. [a channel for each]; with a number in `tables` they are the samples of that table.
  case surface
  /// The samples of `tables` as curves; the channels may be left out. [position; begin; end; shown table]. The first
  /// three are fractions of the table from 0 to 1, unless `ranges` says otherwise: the position can be shown and
  /// dragged, begin and end are handles. The fourth chooses one of `tables` by its index.
  case table
  /// The waveform of the output.
  case scope
  /// The spectrum of the output.
  case spectrum
  /// Keys to play; `keys` says which there are and what they do.
  case keyboard
  /// Sends its score lines `press` when it is pressed and, if there are any, `release` when it is released.
  case event
  /// Csound's messages.
  case console
  /// A rectangle with the colour `background` behind other widgets.
  case panel
}

/// A choice of a menu, or a caption.
public struct PanelOption: Codable, Sendable, Equatable {
  public var label: String
  /// What the channel is set to; not used for a caption.
  public var value: Double
  /// What a string channel is set to; nil for a control channel.
  public var text: String?

  public init(_ label: String, _ value: Double = 0, text: String? = nil) {
    (self.label, self.value, self.text) = (label, value, text)
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    label = try values.decode(String.self, forKey: .label)
    (value, text) = try (values[.value] ?? 0, values[.text])
  }
}

/// The keys of a keyboard and what they do. If a number in a file is outside of its MIDI range, the nearest one in the
/// range is used.
public struct PanelKeys: Codable, Sendable, Equatable {
  /// The lowest key as a MIDI note, and how many there are.
  public var low, count: Int
  /// The number N of the instrument that the keys play: `i N.KEY 0 -2 KEY VELOCITY` starts a note, and
  /// `i -N.KEY 0 0 KEY 0` ends it. Nil: the keys are MIDI notes.
  public var instrument: Int?
  /// The MIDI channel, 1 to 16; used if the keys are MIDI notes.
  public var channel: Int
  /// The velocity of every note, 1 to 127.
  public var velocity: Int

  public init(
    low: Int = 48, count: Int = 25, instrument: Int? = nil, channel: Int = 1, velocity: Int = 100
  ) {
    (self.low, self.count, self.instrument) = (low, count, instrument)
    (self.channel, self.velocity) = (channel, velocity)
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys, _ range: ClosedRange<Int>, _ usual: Int) throws -> Int {
      try min(range.upperBound, max(range.lowerBound, values[key] ?? usual))
    }
    low = try number(.low, 0...127, 48)
    count = try number(.count, 0...128, 25)
    instrument = try values[.instrument]
    channel = try number(.channel, 1...16, 1)
    velocity = try number(.velocity, 1...127, 100)
  }
}

/// A MIDI controller: its channel 1 to 16, 0 for any, and its number 0 to 127.
public struct PanelController: Codable, Sendable, Equatable {
  public var channel, controller: Int

  public init(channel: Int = 0, controller: Int) {
    (self.channel, self.controller) = (channel, controller)
  }
}

/// A name for a set of channels' values.
public struct PanelPreset: Codable, Sendable, Equatable {
  public var name: String
  public var values: [String: Double]
  /// The texts of string channels.
  public var texts: [String: String]

  public init(_ name: String, values: [String: Double] = [:], texts: [String: String] = [:]) {
    (self.name, self.values, self.texts) = (name, values, texts)
  }

  public init(from decoder: any Decoder) throws {
    let keyed = try decoder.container(keyedBy: CodingKeys.self)
    name = try keyed.decode(String.self, forKey: .name)
    (values, texts) = try (keyed[.values] ?? [:], keyed[.texts] ?? [:])
  }
}

/// A value of a channel: a number or a text.
public enum ChannelValue: Equatable, Sendable {
  case number(Double)
  case text(String)

  public var number: Double? { if case .number(let number) = self { number } else { nil } }
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  public var isText: Bool { text != nil }
}

extension PanelPreset {
  public init(_ name: String, _ all: [String: ChannelValue]) {
    self.init(name, values: all.compactMapValues(\.number), texts: all.compactMapValues(\.text))
  }

  /// The numbers and then the texts, each sorted by their channels.
  public var all: [(channel: String, value: ChannelValue)] {
    values.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) }
      + texts.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) }
  }
}
