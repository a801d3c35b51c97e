import Foundation
public import HarnessBase
public import Panels

/// The presets of a piece: those of its panel's source, and those that pages have saved. A saved preset replaces one of
/// the same name.
public struct Presets: Sendable {
  private let file: PresetFile?
  private var saved: [PanelPreset]
  private static let limit = (presets: 256, name: 80)

  /// Only the presets of the panel itself; none can be saved.
  public static let none = Presets(nil, [])

  /// The presets saved in a file, which need not exist yet.
  public init(_ file: PresetFile) throws(Failure) {
    self.init(file, try file.read())
  }

  /// Takes what can be read of a file that is no list of presets, such as one that is half written. The file is renamed,
  /// and a new one has what was read. Also returns a sentence about that.
  public static func mending(
    _ file: PresetFile, _ failure: Failure
  ) throws(Failure) -> (Presets, String) {
    let found = file.readable()
    let kept = try OutputFile.setAside(file.path)
    try file.write(found)
    return (
      Presets(file, found),
      "\(failure.message) The panel begins with the \(found.count.counted("preset")) that can be read; the file is"
        + " kept as '\(kept)'."
    )
  }

  private init(_ file: PresetFile?, _ saved: [PanelPreset]) {
    (self.file, self.saved) = (file, saved)
  }

  /// The names of all presets: those of a panel first, then the saved ones.
  public func names(beside panel: Panel) -> [String] { all(beside: panel).map(\.name) }

  /// All presets: those of a panel first, then the saved ones.
  func all(beside panel: Panel) -> [PanelPreset] {
    let names = Set(saved.map(\.name))
    return panel.presets.filter { !names.contains($0.name) } + saved
  }

  mutating func save(_ preset: PanelPreset) throws(Failure) {
    guard let file else { throw .unavailable("This piece has no file to save presets in.") }
    guard !preset.name.isEmpty, preset.name.count <= Self.limit.name else {
      throw .usage(
        "A preset's name has 1 to \(Self.limit.name) characters, not \(preset.name.count).")
    }
    guard preset.name.unicodeScalars.allSatisfy(Self.isShown) else {
      throw .usage(
        "A preset's name has no control characters and no marks of the direction of writing; leave them out."
      )
    }
    var new = try present().filter { $0.name != preset.name }
    guard new.count < Self.limit.presets else {
      throw .usage("There are \(Self.limit.presets) presets; delete one first.")
    }
    new.append(preset)
    try file.write(new)
    saved = new
  }

  /// False for what would make a name look like another one, or break its line.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    let hidden: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
    return !scalar.properties.isBidiControl && !hidden.contains(scalar.properties.generalCategory)
  }

  /// The saved presets as the file has them now: another program may have changed it. If it is gone, those that are known.
  private func present() throws(Failure) -> [PanelPreset] {
    guard let file, FileManager.default.fileExists(atPath: file.path) else { return saved }
    return try file.read()
  }

  mutating func delete(_ name: String) throws(Failure) {
    let all = try present()
    guard all.contains(where: { $0.name == name }) else {
      throw .usage("No preset '\(name)' was saved; those of the piece itself stay.")
    }
    let new = all.filter { $0.name != name }
    try file?.write(new)
    saved = new
  }
}
