import CsoundHost
import Foundation
import HarnessBase
import Synchronization

/// Csound's own plugin of FLTK widgets. If it is installed, Csound takes the FL opcodes from it instead of from this
/// library, and ends the process if there is no X display.
public enum OtherWidgets {
  private static let names = ["libwidgets.so", "libvirtual.so"]

  /// Whether an orchestra calls FL opcodes, or those of Cabbage.
  public static func isNeeded(by csd: String) -> Bool {
    (csd.contains("FL") || csd.contains("cabbage"))
      && csd.firstMatch(
        of: /\b(?:FL(?:panel|run|vkeybd|slider|button|value|box)|cabbage[A-Z]\w*)\b/) != nil
  }

  /// Calls `body`, in which engines that are created load Csound's plugins without those of FLTK.
  static func whileAside<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let engine = try Csound.usable()
    // The engine's plugins exist only as long as the engine.
    let before = ProcessInfo.processInfo.environment[variable]
    let links = try withExtendedLifetime(engine) { () throws(Failure) in try setAside() }
    guard let links else { return try body() }
    defer {
      links.remove()
      if let before { setenv(variable, before, 1) } else { unsetenv(variable) }
      isAside.store(false, ordering: .relaxed)
    }
    return try body()
  }

  private static let variable = "OPCODE6DIR64"

  /// The directory that holds FLTK's plugin, searched for among those of the libraries loaded into this process.
  private static var directory: String? {
    // The file may change while it is read. That does not matter, as one line of any plugin is enough.
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    let directories = Set(
      maps.split(separator: "\n").compactMap { line -> String? in
        guard line.hasSuffix(".so"), let start = line.firstIndex(of: "/"),
          let end = line.lastIndex(of: "/")
        else { return nil }
        return String(line[start..<end])
      })
    return directories.first { FileManager.default.fileExists(atPath: $0 + "/libwidgets.so") }
  }

  /// Whether engines load the links.
  private static let isAside = Atomic(false)

  /// Whether FLTK's plugin is installed. Call this while an engine exists, so that Csound's plugins are loaded.
  package static var areInstalled: Bool { directory != nil }

  /// Makes engines that this process creates from now on load Csound's plugins without those of FLTK. Returns nil and
  /// changes nothing if FLTK's are not installed. Call it while an engine exists. The returned directory holds links
  /// to the other plugins; remove it when no more engines will be created.
  package static func setAside() throws(Failure) -> ScratchDirectory? {
    guard areInstalled, !isAside.load(ordering: .relaxed) else { return nil }
    let scratch = try ScratchDirectory("plugins")
    do throws(Failure) {
      try setAside(in: scratch.path)
    } catch {
      scratch.remove()
      throw error
    }
    return scratch
  }

  /// The same with the links in a directory, in which an earlier process may have made them already.
  package static func setAside(in place: String) throws(Failure) {
    guard let directory else { return }
    try makeDirectory(place)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    for file in files where !names.contains(file) {
      guard symlink(directory + "/" + file, place + "/" + file) == 0 || errno == EEXIST else {
        throw .unwritableOutput(
          "Csound's plugins in '\(directory)' cannot be linked to in '\(place)':"
            + " \(String(cString: strerror(errno))).")
      }
    }
    setenv(variable, place, 1)
    isAside.store(true, ordering: .relaxed)
  }
}
