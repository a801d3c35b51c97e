import CommandKit
import CsoundLive
import Foundation
import HarnessBase
import Panels
import Rendering

extension Command {
  private static let device = Option(
    name: "device", value: "NAME", takes: .text, standard: "default",
    help: "The sound device, as devices lists them; default unless given, null for no sound.")
  private static let input = Option(
    name: "input", value: "NAME", help: "The device the orchestra's input comes from.")
  private static let period = Option(
    name: "period", value: "FRAMES", takes: .wholeNumber(1...65536), standard: 256,
    help: "Frames in a period of the device; 256 unless given.")
  private static let periods = Option(
    name: "periods", value: "N", takes: .wholeNumber(2...64), standard: 3,
    help: "Periods in the device's buffer; 3 unless given.")
  private static let sampleRate = Option(
    name: "sample-rate", value: "HZ", takes: .wholeNumber(1000...768_000),
    help: "Play at this sample rate; the device's nearest to the orchestra's unless given.")
  private static let ksmps = Option(
    name: "ksmps", value: "N", takes: .wholeNumber(Orchestra.ksmpsRange),
    help: "Play at this ksmps.")
  private static let record = Option(
    name: "record", value: "FILE", help: "Also record: \(SoundFormat.extensions).")

  private static let midi = Option(
    name: "midi", value: "SOURCE",
    help:
      "MIDI for the orchestra: a FIFO or device by its path, a client of ALSA's sequencer by its name, or all."
  )
  private static let midiOutput = Option(
    name: "midi-out", value: "RECEIVER",
    help:
      "Send the MIDI of the piece's opcodes to a FIFO or device by its path, a client of ALSA's sequencer by its name,"
      + " or all."
  )
  private static let clockOutput = Option(
    name: "clock-out", value: "TEMPO",
    help:
      "Send a MIDI clock to --midi-out: score for the tempo of the score, a number from 1 to 1000, or the channel that"
      + " has it."
  )
  private static let clockInput = Option(
    name: "clock-in", value: "CHANNEL",
    help: "Set this channel to the tempo of the MIDI clock that --midi brings; see Playing.")
  private static let mpe = Option(
    name: "mpe", value: "SEMITONES", takes: .number(0.1...96),
    help:
      "--midi brings an MPE controller; a full bend of the piece's notes has this many semitones."
  )
  private static let controllers = Option(
    name: "cc", value: "LIST", takes: ValueReader.text.map(ControllerMap.init(_:)),
    help:
      "Controllers that set channels, such as 74=cutoff:20..20000:exp,1=depth; those learned earlier unless given."
  )

  private static let panel = Option(
    name: "panel", help: "Show the piece's controls in the browser, at an address on this computer."
  )
  private static let port = Option(
    name: "port", value: "N", takes: .wholeNumber(1...65535),
    help: "The panel's port; \(PanelServer.usualPort) unless given.")

  private static let localNetwork = Option(
    name: "lan",
    help:
      "Let a phone show the panel: encrypted, for all in the local network who have its address.")

  private static let osc = Option(
    name: "osc", value: "PORT", takes: .wholeNumber(1...65535),
    help: "Let programs on this computer play by Open Sound Control, over UDP at this port.")
  private static let oscAddress = Option(
    name: "osc-address", value: "ADDRESS",
    help: "Receive OSC at this IP address, such as 0.0.0.0; 127.0.0.1 unless given.")

  private static let initial = Option(
    name: "initial",
    help: "Begin with the piece's own values, not with those that its panel had the last time.")

  private static let loads = Option(
    name: "loads",
    help: "Show below the controls each instrument's share of the time."
  )

  /// Where and how to play, for every command that plays.
  package static let playingOptions: [any CommandOption] = [
    device, input, period, periods, sampleRate, ksmps,
  ]

  /// The settings that those options give, except ksmps.
  package static func playingSettings(
    _ arguments: Arguments, midi: Bool = false
  ) -> Settings {
    Settings(
      device: .init(arguments[device]), input: arguments[input], period: arguments[period],
      periods: arguments[periods], sampleRate: arguments[sampleRate], midi: midi)
  }

  package static func playingKsmps(_ arguments: Arguments) -> Int? { arguments[ksmps] }

  static func play(_ widgets: WidgetInstaller?) -> Command {
    Command(
      name: "play", operands: "PIECE.csd|INSTRUMENT",
      summary: "Play a CSD on a sound device, with the kit's opcodes or the package's.",
      options: playingOptions + [
        midi, mpe, midiOutput, clockOutput, clockInput, controllers, record, panel, port,
        localNetwork, initial, loads, osc, oscAddress, .duration, .macros, .plugin, .toolCsound,
      ]
    ) { arguments throws(Failure) in try play(arguments, widgets) }
  }

  private static func play(
    _ arguments: Arguments, _ installer: WidgetInstaller?
  ) throws(Failure) -> ExitCode {
    try arguments.requireOperands(atMost: 1)
    guard let named = arguments.operands.first else {
      throw .usage("play needs a CSD; see ./opcodekit play --help.")
    }
    let csd = instrument(named) ?? named
    if arguments[mpe] != nil, arguments[midi] == nil {
      throw .usage("--mpe needs a source of MIDI; name one with --midi.")
    }
    try requireWays(arguments)
    var piece = try piece(csd, arguments)
    if installer == nil, PieceWidgets.text(of: csd) != nil {
      try arguments.handOver(to: "opcodekit-pieces")
    }
    let widgets = try PieceWidgets(csd, installer)
    piece = widgets.begin(piece)
    let file = PanelFile(forPiece: csd)
    _ = try kept(file.path, beginning: "with the panel of its own text", file.requireWhole)
    let shown = try shownPanel(csd, widgets, arguments)
    // Even without a panel in the browser, the piece starts with the initial values of its widgets.
    let read = try PlayPanel.read(csd)
    piece = (shown?.values ?? PanelValues(read)).begin(piece)
    var settings = playingSettings(
      arguments, midi: arguments[midi] != nil || shown?.needsMIDI == true)
    settings.midiOutput = arguments[midiOutput]
    settings.clock = try clock(csd, arguments)
    if let path = arguments[record] { PartFile.rescue(path) }
    _ = try FileExport(arguments, record)
    tellUnknownClock(csd, arguments)
    let map = try controllerMap(csd, arguments) ?? ControllerMap(read)
    let player = Player(
      csd, piece, settings, recording: arguments[record], duration: arguments[.duration],
      panel: shown, showsLoads: arguments[loads])
    return try player.run(
      midi: arguments[midi], map, clock: arguments[clockInput], mpe: arguments[mpe])
  }

  private static func piece(_ csd: String, _ arguments: Arguments) throws(Failure) -> Piece {
    let plugin = Project.plugin(arguments)
    if let plugin { try Plugin.check(plugin) }
    let macros = arguments[.macros] ?? [:]
    var piece = Piece(.file(csd))
    // Csound prints only warnings, errors and what the orchestra prints.
    piece.options =
      ["-m4"] + macros.sorted { $0.key < $1.key }.map { "--omacro:\($0.key)=\($0.value)" }
    piece.ksmps = playingKsmps(arguments)
    piece.plugin = plugin
    return piece
  }

  /// Fails if MIDI has a way without a name, or if what is sent would come back at once.
  private static func requireWays(_ arguments: Arguments) throws(Failure) {
    for option in [midi, midiOutput] where arguments[option]?.isEmpty == true {
      throw .usage(
        "--\(option.name) has no name; write one that ./opcodekit devices lists, or a path.")
    }
    if arguments[clockInput]?.isEmpty == true {
      throw .usage("--clock-in has no name; write that of a channel, such as clock.")
    }
    guard let source = arguments[midi], let receiver = arguments[midiOutput] else { return }
    var (first, second) = (stat(), stat())
    if stat(source, &first) == 0, stat(receiver, &second) == 0, first.st_mode & S_IFMT == S_IFIFO,
      first.st_dev == second.st_dev, first.st_ino == second.st_ino
    {
      throw .usage(
        "--midi and --midi-out are the same FIFO '\(source)': what the piece sends would come back to it; name two."
      )
    }
  }

  /// Says which channel of a clock the piece's text does not name: it may be misspelled, but the piece may also compute
  /// the name.
  private static func tellUnknownClock(_ csd: String, _ arguments: Arguments) {
    guard arguments[clockOutput] != nil || arguments[clockInput] != nil else { return }
    let names = PieceChannels.names(inTextOf: csd)
    if let name = arguments[clockOutput], name != "score", Double(name) == nil,
      !names.contains(name)
    {
      printError(
        "--clock-out: \(NearNames.unknown("No channel", name, names)) The clock stands still until one of this name has"
          + " a tempo.")
    }
    if let name = arguments[clockInput],
      names.isDisjoint(with: [name, name + "_beat", name + "_run"])
    {
      printError(
        "--clock-in: \(NearNames.unknown("No channel", name, names)) Nothing in the piece's text follows the clock."
      )
    }
  }

  /// The tempo of `--clock-out`; nil without it.
  private static func clock(_ csd: String, _ arguments: Arguments) throws(Failure) -> ClockTempo? {
    if arguments[clockInput] != nil, arguments[midi] == nil {
      throw .usage("--clock-in needs a source of the clock; name one with --midi.")
    }
    guard let text = arguments[clockOutput] else { return nil }
    guard arguments[midiOutput] != nil else {
      throw .usage("--clock-out needs a receiver; name one with --midi-out.")
    }
    if let tempo = Double(text) {
      guard tempo >= 1, tempo <= 1000 else {
        throw .usage("--clock-out \(text): a tempo is from 1 to 1000 quarter notes a minute.")
      }
      return .map(try TempoMap(tempo: tempo))
    }
    // Some channels' names begin with a digit.
    let isNumber = text.isEmpty || text.first.map { "0123456789+-.".contains($0) } == true
    if isNumber, !PieceChannels.names(inTextOf: csd).contains(text) {
      throw .usage(
        "--clock-out '\(text)': a tempo is a number from 1 to 1000, the word score, or the name of a channel that has it."
      )
    }
    guard text == "score" else { return .channel(ObservedValue(text)) }
    guard let map = PlayPanel.tempoMap(csd) else {
      throw .badInput(
        "\(csd): the score has no tempo that counts for all of it; that is one t statement of numbers, in a score of one"
          + " section without jumps and loops. Give --clock-out a number or a channel.")
    }
    return .map(map)
  }

  /// The panel that `--panel` and `--osc` ask for; nil if neither is given.
  private static func shownPanel(
    _ csd: String, _ widgets: PieceWidgets, _ arguments: Arguments
  ) throws(Failure) -> PlayPanel? {
    if !arguments[panel], let option = arguments.given(port, localNetwork, initial, loads).first {
      throw .usage("--\(option.name) is for the panel; add --panel.")
    }
    if arguments[osc] == nil, arguments[oscAddress] != nil {
      throw .usage("--osc-address is for OSC; add --osc PORT.")
    }
    let network = arguments[osc].map {
      PlayPanel.Network(port: $0, address: arguments[oscAddress] ?? "127.0.0.1")
    }
    guard arguments[panel] || network != nil else { return nil }
    let access =
      arguments[localNetwork] ? try PanelAccess.localNetwork(forPiece: csd) : .thisComputer
    return try PlayPanel(
      csd, widgets, page: arguments[panel] ? (arguments[port], access) : nil, osc: network,
      isInitial: arguments[initial])
  }

  /// The controllers of `--cc`, or else those learned earlier; nil if there are none, or no MIDI
  /// source.
  private static func controllerMap(
    _ csd: String, _ arguments: Arguments
  ) throws(Failure) -> ControllerMap? {
    let given = arguments[controllers]
    guard arguments[midi] != nil else {
      guard given == nil else {
        throw .usage("--cc needs a source of controllers; name one with --midi.")
      }
      return nil
    }
    let path = ControllerMap.path(beside: csd)
    guard given == nil, FileManager.default.fileExists(atPath: path) else { return given }
    return try kept(path, beginning: "without learned controllers") { () throws(Failure) in
      try ControllerMap(file: path)
    }
  }

  /// Reads a file beside the piece. If it holds something else, such as when it is half written, it is renamed, a
  /// sentence says so, and the result is nil.
  private static func kept<Contents>(
    _ path: String, beginning: String, _ read: () throws(Failure) -> Contents
  ) throws(Failure) -> Contents? {
    do throws(Failure) {
      return try read()
    } catch {
      guard error.kind == .badInput else { throw error }
      let place = try OutputFile.setAside(path)
      printError("\(error.message) The piece begins \(beginning); the file is kept as '\(place)'.")
      return nil
    }
  }

  /// The path of the kit's instrument of this name; nil if there is none, or if the name is a
  /// file's path.
  static func instrument(_ name: String) -> String? {
    let path = "\(Project.kit)/csd/instruments/\(name).csd"
    let files = FileManager.default
    guard !name.contains("/"), !files.fileExists(atPath: name), files.fileExists(atPath: path)
    else { return nil }
    return path
  }
}
