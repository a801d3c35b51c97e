/// One widget of a panel.
public struct PanelWidget: Codable, Sendable, Equatable {
  /// Unique among the panel's widgets; left empty, `Panel.add` makes one.
  public var id: String
  public var kind: WidgetKind
  /// What it is called, on the page and by a screen reader; empty: its channel's name is said, none is shown.
  public var label: String
  /// The channels of its values; how many, and what each means, the kind tells. One that is empty is not sent.
  ///
  /// Where a source has variables instead, as FL opcodes do, the importer makes up names, and whoever owns the
  /// variable declares a channel of that name.
  public var channels: [String]
  /// The values of each of `channels`, in the same order; 0 to 1 where there is none. For `button`, `switch`,
  /// `menu` and `radio` only `initial` is used.
  public var ranges: [ValueRange]
  /// For `menu` and `radio`: what there is to choose. For `button`, `momentary`, `switch`, `event`: the captions
  /// when off and when on, or one for both; without any, `label` is on it.
  public var options: [PanelOption]
  /// Of `radio`: how many of `options` in a row; nil: as there is room.
  public var columns: Int?
  /// Of `button` and `switch`: the values when off and when on.
  public var off, on: Double
  /// Score lines, one string each, sent when it is pressed, switched on or a choice is made: `"i 1 0 2"`.
  public var press: [String]
  /// Score lines sent when it is let go or switched off: `"i -1 0 0"`.
  public var release: [String]
  /// Of `switch`: of those with the same name here at most one is on; switching one on switches the others off.
  public var exclusive: String?
  /// Digits after the point; nil: as many as the range needs.
  public var precision: Int?
  /// Function tables of `surface` and `table`.
  public var tables: [Int]
  /// Of `keyboard`.
  public var keys: PanelKeys?
  /// Of `slider`, `meter`, `range`: from bottom to top instead of from left to right.
  public var isVertical: Bool
  /// Of `slider`: from right to left, or from top to bottom, as drawbars are pulled.
  public var isReversed: Bool
  /// Shows its channels' values and cannot be moved.
  public var isReadOnly: Bool
  /// Of `text`: what it says. Of `field` and `file`: what the string channel is set to when the piece begins.
  public var text: String?
  /// The group it is in; nil: the panel itself.
  public var group: String?
  /// Where it lies; nil: laid out automatically, after those before it.
  public var bounds: PanelBounds?
  /// Of its moving part or its text, and of what is behind it.
  public var color, background: PanelColor?
  /// Of text in pixels; nil: as the page has it.
  public var fontSize: Double?
  /// A controller that moves it: MIDI channel 1 to 16, 0 for any, and controller 0 to 127.
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
    label = try values.decodeIfPresent(String.self, forKey: .label) ?? ""
    channels = try values.decodeIfPresent([String].self, forKey: .channels) ?? []
    ranges = try values.decodeIfPresent([ValueRange].self, forKey: .ranges) ?? []
    options = try values.decodeIfPresent([PanelOption].self, forKey: .options) ?? []
    columns = try values.decodeIfPresent(Int.self, forKey: .columns)
    off = try values.decodeIfPresent(Double.self, forKey: .off) ?? 0
    on = try values.decodeIfPresent(Double.self, forKey: .on) ?? 1
    press = try values.decodeIfPresent([String].self, forKey: .press) ?? []
    release = try values.decodeIfPresent([String].self, forKey: .release) ?? []
    exclusive = try values.decodeIfPresent(String.self, forKey: .exclusive)
    precision = try values.decodeIfPresent(Int.self, forKey: .precision)
    tables = try values.decodeIfPresent([Int].self, forKey: .tables) ?? []
    keys = try values.decodeIfPresent(PanelKeys.self, forKey: .keys)
    isVertical = try values.decodeIfPresent(Bool.self, forKey: .isVertical) ?? false
    isReversed = try values.decodeIfPresent(Bool.self, forKey: .isReversed) ?? false
    isReadOnly = try values.decodeIfPresent(Bool.self, forKey: .isReadOnly) ?? false
    text = try values.decodeIfPresent(String.self, forKey: .text)
    group = try values.decodeIfPresent(String.self, forKey: .group)
    bounds = try values.decodeIfPresent(PanelBounds.self, forKey: .bounds)
    color = try values.decodeIfPresent(PanelColor.self, forKey: .color)
    background = try values.decodeIfPresent(PanelColor.self, forKey: .background)
    fontSize = try values.decodeIfPresent(Double.self, forKey: .fontSize)
    midi = try values.decodeIfPresent(PanelController.self, forKey: .midi)
  }

  /// Replaces numbers that are infinite or `nan`: the widget is laid out automatically, a range ends at 0 or 1.
  public mutating func keepFinite() {
    for place in ranges.indices { ranges[place].keepFinite() }
    for place in options.indices { options[place].value = options[place].value.inJSON ?? 0 }
    off = off.inJSON ?? 0
    on = on.inJSON ?? 1
    bounds = bounds?.finite
    fontSize = fontSize?.inJSON
  }

  /// The values of a channel of this widget, by its place among `channels`.
  public func range(_ index: Int) -> ValueRange {
    index < ranges.count ? ranges[index] : ValueRange()
  }
}

/// What a widget is. In brackets the channels it has.
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
  /// `on` and `off` by turns. [value]; its `press` and `release` go out as it is switched.
  case `switch`
  /// One of `options` from a list that opens. [value of the choice]
  case menu
  /// One of `options`, all of them shown. [value of the choice]
  case radio
  /// Shows a value with `precision`. [value]; a string channel's text too.
  case label
  /// Shows a value as a bar. [value]
  case meter
  /// A text that never changes, or a heading.
  case text
  /// A line of text that is typed. [string channel]
  case field
  /// A file by its path, typed. [string channel]
  case file
  /// Several sliders beside one another. [a channel for each], or with one of `tables` the samples of that table.
  case surface
  /// The samples of `tables` as curves; the channels may be left out. [position; begin; end], parts of the
  /// table from 0 to 1, or as `ranges` say: the position is shown and dragged, begin and end are handles.
  case table
  /// The sound that goes out, over time.
  case scope
  /// The spectrum of the sound that goes out.
  case spectrum
  /// Keys that are played; `keys` tells what they do.
  case keyboard
  /// Sends its score lines `press` when it is pressed and, with `release`, plays while it is held.
  case event
  /// What Csound says.
  case console
  /// A rectangle of `background` behind others.
  case panel
}

/// A choice of a menu, or a caption.
public struct PanelOption: Codable, Sendable, Equatable {
  public var label: String
  /// What the channel is set to; of a caption nothing.
  public var value: Double
  /// What a string channel is set to instead; nil: the channel is a number's.
  public var text: String?

  public init(_ label: String, _ value: Double = 0, text: String? = nil) {
    (self.label, self.value, self.text) = (label, value, text)
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    label = try values.decode(String.self, forKey: .label)
    value = try values.decodeIfPresent(Double.self, forKey: .value) ?? 0
    text = try values.decodeIfPresent(String.self, forKey: .text)
  }
}

/// What the keys of a keyboard do. Numbers in a file that MIDI does not have are moved to the nearest it has.
public struct PanelKeys: Codable, Sendable, Equatable {
  /// The lowest key as a MIDI note, and how many there are.
  public var low, count: Int
  /// The instrument that score events start, `i N.KEY 0 -2 KEY VELOCITY`, and `i -N.KEY 0 0 KEY 0` ends.
  /// Nil: the keys are MIDI notes.
  public var instrument: Int?
  /// MIDI channel 1 to 16, where the keys are MIDI notes.
  public var channel: Int
  /// From 1 to 127, of every note.
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
      let written = try values.decodeIfPresent(Int.self, forKey: key) ?? usual
      return min(range.upperBound, max(range.lowerBound, written))
    }
    low = try number(.low, 0...127, 48)
    count = try number(.count, 0...128, 25)
    instrument = try values.decodeIfPresent(Int.self, forKey: .instrument)
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

/// Values of many channels under a name.
public struct PanelPreset: Codable, Sendable, Equatable {
  public var name: String
  public var values: [String: Double]
  /// Of string channels.
  public var texts: [String: String]

  public init(_ name: String, values: [String: Double] = [:], texts: [String: String] = [:]) {
    (self.name, self.values, self.texts) = (name, values, texts)
  }

  public init(from decoder: any Decoder) throws {
    let keyed = try decoder.container(keyedBy: CodingKeys.self)
    name = try keyed.decode(String.self, forKey: .name)
    values = try keyed.decodeIfPresent([String: Double].self, forKey: .values) ?? [:]
    texts = try keyed.decodeIfPresent([String: String].self, forKey: .texts) ?? [:]
  }
}
