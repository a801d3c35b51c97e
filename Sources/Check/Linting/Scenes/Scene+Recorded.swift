extension Scene {
  /// The header's lines that read the file's channels into tables, if that is how signals are read.
  var recordedTables: [String] {
    guard reader == .poscil || reader == .table else { return [] }
    return (1...Self.recordedChannels).map {
      "girecorded\($0) ftgen 0, 0, 0, -1, \"input.wav\", 0, 0, \($0)"
    }
  }

  /// The lines that read a channel of the file, counted from 1, into a variable.
  package func recordedLines(_ name: String, channel: Int) -> [String] {
    let (table, cycle) = ("girecorded\(channel)", "sr / ftlen(girecorded\(channel))")
    switch reader {
    case .table: return ["\(name) phasor \(cycle)", "\(name) table \(name), \(table), 1"]
    case .soundin:
      let names = (1...Self.recordedChannels).map { $0 == channel ? name : "\(name)_\($0)" }
      return ["\(names.joined(separator: ", ")) soundin \"input.wav\""]
    case .inch: return ["\(name) inch \(channel)"]
    default: return ["\(name) poscil 1, \(cycle), \(table)"]
    }
  }
}
