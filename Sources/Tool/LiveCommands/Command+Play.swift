import CommandKit
import CsoundLive
import Foundation
import HarnessBase
import PanelServer
import Rendering
import Sounds

extension Command {
  private static let device = Option(
    name: "device", value: "NAME",
    help: "The sound device, as devices lists them; default unless given, null for no sound.")
  private static let input = Option(
    name: "input", value: "NAME", help: "The device the orchestra's input comes from.")
  private static let period = Option(
    name: "period", value: "FRAMES", help: "Frames the device takes at a time; 256 unless given.")
  private static let periods = Option(
    name: "periods", value: "N", help: "Periods in the device's buffer; 3 unless given.")
  private static let sampleRate = Option(
    name: "sample-rate", value: "HZ",
    help: "Play at this sample rate; the device's nearest to the orchestra's unless given.")
  private static let ksmps = Option(name: "ksmps", value: "N", help: "Play at this ksmps.")
  private static let record = Option(
    name: "record", value: "FILE", help: "Also record: \(SoundFormat.extensions).")

  private static let midi = Option(
    name: "midi", value: "SOURCE",
    help:
      "MIDI for the orchestra: a FIFO or device by its path, a client of ALSA's sequencer by its name, or all."
  )
  private static let controllers = Option(
    name: "cc", value: "LIST",
    help:
      "Controllers that set channels, such as 74=cutoff:20..20000:exp,1=depth; those learned before unless given."
  )

  private static let panel = Option(
    name: "panel", help: "Show the piece's controls in the browser, at an address on this computer."
  )
  private static let port = Option(
    name: "port", value: "N", help: "The panel's port; \(PanelServer.usualPort) unless given.")

  /// Where and how to play, for every command that does.
  package static let playingOptions = [device, input, period, periods, sampleRate, ksmps]

  /// What those options say, but for ksmps.
  package static func playingSettings(
    _ arguments: Arguments, midi: Bool = false
  ) throws(Failure) -> Settings {
    Settings(
      device: .init(arguments[device] ?? "default"), input: arguments[input],
      period: try arguments.wholeNumber(period, 1...65536) ?? 256,
      periods: try arguments.wholeNumber(periods, 2...64) ?? 3,
      sampleRate: try arguments.wholeNumber(sampleRate, 1000...768_000), midi: midi)
  }

  package static func playingKsmps(_ arguments: Arguments) throws(Failure) -> Int? {
    try arguments.wholeNumber(ksmps, Orchestra.ksmpsRange)
  }
  private static let localNetwork = Option(
    name: "lan",
    help:
      "Let a phone show the panel: encrypted, for all of the local network who have its address.")

  private static let loads = Option(
    name: "loads",
    help:
      "Show beside the panel how much of the time each instrument takes; timing is set to take 2 %."
  )

  static let play = Command(
    name: "play", operands: "PIECE.csd|INSTRUMENT",
    summary: "Play a CSD on a sound device, with the kit's opcodes or the package's.",
    options: playingOptions + [
      midi, controllers, record, panel, port, localNetwork, loads, .duration, .macros, .plugin,
    ]
  ) { arguments throws(Failure) in
    try arguments.requireOperands(atMost: 1)
    guard let named = arguments.operands.first else {
      throw Failure(.usage, "play needs a CSD; see ./opcodekit play --help.")
    }
    let csd = instrument(named) ?? named
    let plugin = Project.plugin(arguments)
    if let plugin { try Plugin.check(plugin) }
    let macros = try arguments.macros() ?? [:]
    var piece = Piece(.file(csd))
    // Of what Csound says only warnings and errors, and what the orchestra prints.
    piece.options =
      ["-m4"] + macros.sorted { $0.key < $1.key }.map { "--omacro:\($0.key)=\($0.value)" }
    piece.ksmps = try playingKsmps(arguments)
    piece.plugin = plugin
    piece.timesInstruments = arguments[loads] != nil
    let widgets = try PieceWidgets(csd)
    piece = widgets.begin(piece)
    for option in [port, localNetwork, loads]
    where arguments[option] != nil && arguments[panel] == nil {
      throw Failure(.usage, "--\(option.name) is the panel's; ask for one with --panel.")
    }
    let access = arguments[localNetwork] == nil ? .thisComputer : try PanelAccess.localNetwork()
    let shown =
      arguments[panel] == nil
      ? nil
      : try PlayPanel(
        csd, widgets, port: try arguments.wholeNumber(port, 1...65535), access: access)
    // Without a page, too, the piece begins with the values its widgets have at first.
    let read = try PlayPanel.read(csd)
    piece = (shown?.values ?? PanelValues(read)).begin(piece)
    let settings = try playingSettings(
      arguments, midi: arguments[midi] != nil || shown?.needsMIDI == true)
    _ = try FileExport(arguments, record)
    guard arguments[controllers] == nil || arguments[midi] != nil else {
      throw Failure(.usage, "--cc needs a source of controllers; name one with --midi.")
    }
    let kept = ControllerMap.path(beside: csd)
    var map = ControllerMap(read)
    if let text = arguments[controllers] {
      map = try ControllerMap(text)
    } else if arguments[midi] != nil, FileManager.default.fileExists(atPath: kept) {
      map = try ControllerMap(file: kept)
    }
    let player = Player(
      csd, piece, settings, recording: arguments[record],
      duration: try arguments.number(.duration, 0.001...86_400), panel: shown)
    return try player.run(midi: arguments[midi], map)
  }

  /// The instrument of the kit that a word names, where it is not a file's path.
  private static func instrument(_ name: String) -> String? {
    let path = "\(Project.kit)/csd/instruments/\(name).csd"
    let files = FileManager.default
    guard !name.contains("/"), !files.fileExists(atPath: name), files.fileExists(atPath: path)
    else { return nil }
    return path
  }
}
