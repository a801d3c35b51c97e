public import HarnessBase
public import Panels

/// The presets of a piece: those of its panel's source, and those that pages have saved. A saved preset replaces one of
/// the same name.
public struct Presets: Sendable {
  private let file: PresetFile?
  private var saved: [PanelPreset]
  private static let limit = (presets: 256, name: 80)

  /// Only the presets of the panel itself; none can be saved.
  public static let none = Presets()

  private init() { (file, saved) = (nil, []) }

  /// The presets saved in a file, which need not exist yet.
  public init(_ file: PresetFile) throws(Failure) {
    self.file = file
    saved = try file.read()
  }

  /// The names of all presets: those of a panel first, then the saved ones.
  public func names(beside panel: Panel) -> [String] { all(beside: panel).map(\.name) }

  /// All presets: those of a panel first, then the saved ones.
  func all(beside panel: Panel) -> [PanelPreset] {
    let names = Set(saved.map(\.name))
    return panel.presets.filter { !names.contains($0.name) } + saved
  }

  mutating func save(_ preset: PanelPreset) throws(Failure) {
    guard let file else {
      throw Failure(.unavailable, "This piece has no file to save presets in.")
    }
    guard !preset.name.isEmpty, preset.name.count <= Self.limit.name else {
      throw Failure(
        .usage, "A preset's name has 1 to \(Self.limit.name) characters, not \(preset.name.count).")
    }
    var new = saved.filter { $0.name != preset.name }
    guard new.count < Self.limit.presets else {
      throw Failure(.usage, "There are \(Self.limit.presets) presets; delete one first.")
    }
    new.append(preset)
    try file.write(new)
    saved = new
  }

  mutating func delete(_ name: String) throws(Failure) {
    guard saved.contains(where: { $0.name == name }) else {
      throw Failure(.usage, "No preset '\(name)' was saved; those of the piece itself stay.")
    }
    let new = saved.filter { $0.name != name }
    try file?.write(new)
    saved = new
  }
}
