import Foundation

/// Csound's messages as lines, without colour codes. With several threads, Csound sends messages
/// from any of them.
///
/// An orchestra can print for hours. The first lines are kept; of the later lines, only errors.
final class MessageLog {
  /// How many lines are kept, and how many later lines with errors.
  static let capacity = (lines: 10_000, errors: 1000)

  private let lock = NSLock()
  private var finished: [String] = []
  private var unfinished = ""
  private var omitted = 0

  /// The lines kept; if some were omitted, a last line tells how many.
  var lines: [String] {
    lock.withLock {
      finished + (omitted == 0 ? [] : ["… and \(omitted) more line\(omitted == 1 ? "" : "s")"])
    }
  }

  var count: Int { lock.withLock { finished.count } }

  func clear() { lock.withLock { (finished, unfinished, omitted) = ([], "", 0) } }

  func append(_ text: String) {
    lock.withLock {
      unfinished += Self.withoutColours(text)
      guard text.utf8.contains(UInt8(ascii: "\n")) else { return }
      var parts = unfinished.split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      unfinished = parts.removeLast()
      parts.forEach(keep)
    }
  }

  private func keep(_ line: String) {
    let room = Self.capacity.lines + (Self.isError(line) ? Self.capacity.errors : 0)
    if finished.count < room { finished.append(line) } else { omitted += 1 }
  }

  private static func isError(_ line: String) -> Bool {
    isNoteError(line) || tableError(line) != nil
  }

  private static func isNoteError(_ line: String) -> Bool {
    line.hasPrefix("INIT ERROR in instr ") || line.hasPrefix("PERF ERROR in instr ")
      || (line.contains(" - note deleted.  i") && line.hasSuffix(" init errors"))
  }

  /// The error in a line about a function table. Without an error, nothing follows the line's
  /// colon.
  private static func tableError(_ line: String) -> String? {
    guard line.contains("ftable ") else { return nil }
    return line.firstMatch(of: /ftable \d+: *[^ \t].*/).map { String($0.output) }
  }

  /// The text without its colour codes: everything from an escape character to the next `m`.
  private static func withoutColours(_ text: String) -> String {
    guard text.utf8.contains(0x1B) else { return text }
    var parts = text.split(separator: "\u{1B}", omittingEmptySubsequences: false)
    for index in parts.indices.dropFirst() {
      parts[index] = parts[index].drop { $0 != "m" }.dropFirst()
    }
    return parts.joined()
  }

  /// Csound's messages about a failed compilation, from line `first` on, without banners, messages
  /// of plugins and repetitions, joined to one line.
  func diagnosis(from first: Int) -> String {
    var kept: [String] = []
    let said = lock.withLock { finished[first...] + [unfinished] }
    for line in said {
      var line = line
      // An error message can follow the file name on the same line.
      line = line.replacing(/^ ?from file [^,]*?\(\d+\),/, with: "")
      for noise in Self.noiseInside { line = line.replacingOccurrences(of: noise, with: " ") }
      line = line.replacing(/\s+/, with: " ").trimmingCharacters(in: .whitespaces)
      line = line.replacing(/(error: )+|>>> ?| ?<<<|:$/, with: "")
      let isPlugin = line.hasPrefix("/") && line.hasSuffix(".so")
      let isNoise = line.isEmpty || isPlugin || Self.noise.contains { line.hasPrefix($0) }
      if !isNoise && !kept.contains(line) { kept.append(line) }
    }
    guard !kept.isEmpty else { return "it gave no reason." }
    let diagnosis = kept.joined(separator: ", ")
    guard let opcode = diagnosis.firstMatch(of: /\bcabbage[A-Z]\w*/)?.output else {
      return diagnosis
    }
    return diagnosis
      + "; \(opcode) may be, with these arguments, one of Cabbage's opcodes that are not supplied:"
      + " the page PanelSources lists those that are."
  }

  /// Whether Csound has said, from line `first` on, that it does not compile the orchestra.
  func saysRefused(from first: Int) -> Bool {
    lock.withLock {
      (finished.dropFirst(first) + [unfinished]).contains { line in
        Self.refusals.contains { line.contains($0) }
      }
    }
  }

  private static let refusals = ["Stopping on parser failure", "cannot compile orchestra"]

  var noteErrors: [String] {
    lines.filter(Self.isNoteError).map { $0.trimmingCharacters(in: .whitespaces) }
  }

  var tableErrors: [String] { lines.compactMap(Self.tableError) }

  private static let noise = [
    "UnifiedCSD", "libsndfile", "--Csound version", "[commit", "Elapsed time", "rtaudio:",
    "rtmidi:", "graphics ", "virtual_keyboard", "PortAudio", "displays suppressed", "sorting score",
    "... done", "Reading options", "orchname:", "csdname:", "Creating", "time resolution",
    "overall", "WARNING: Unused", "end of score", "sr =", "0dBFS level", "orch now loaded",
    "Loading command-line", "SECTION", "Macro definition for", "WARNING: cannot open csound6rc",
    "WARNING: could not open library", "realtime mode enabled", "Reading CSD file:", "loaded /",
    "warning: Error opening plugin directory", "WARNING: Error opening plugin directory",
    "Compiling Csound code...",
    "... failed to compile code",
  ]
  private static let noiseInside = [
    "Parsing failed due to syntax errors", "Parsing failed due to invalid input!",
    "Parsing failed due to 1 syntax error!", "Stopping on parser failure",
    "cannot compile orchestra", "... stopping",
  ]
}
