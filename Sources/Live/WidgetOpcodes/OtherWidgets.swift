import Foundation
import HarnessBase

/// FLTK's own plugin of Csound. Where it is installed Csound finds the FL opcodes there first, and ends the
/// process where there is no X display.
public enum OtherWidgets {
  private static let names = ["libwidgets.so", "libvirtual.so"]

  /// Whether an orchestra calls FL opcodes.
  public static func isNeeded(by csd: String) -> Bool {
    csd.firstMatch(of: /\bFL(?:panel|run|vkeybd|slider|button|value|box)\b/) != nil
  }

  /// The directory with FLTK's plugin, of those that plugins have been loaded from.
  private static var directory: String? {
    // (The file grows while it is read: any line of any plugin will do.)
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

  /// Whether FLTK's plugin is installed. Ask while an engine is there.
  package static var areInstalled: Bool { directory != nil }

  /// Has engines of this process made from now on load Csound's plugins without those of FLTK; does nothing where
  /// those are not installed. Call it while an engine is there. The directory that is returned holds
  /// links to the others and can be removed when no more engines are made.
  package static func setAside() throws(Failure) -> ScratchDirectory? {
    guard areInstalled else { return nil }
    let scratch = try ScratchDirectory("plugins")
    do throws(Failure) {
      try setAside(in: scratch.path)
    } catch {
      scratch.remove()
      throw error
    }
    return scratch
  }

  /// The same with links in a directory of the caller's, where a process before can have left them.
  package static func setAside(in place: String) throws(Failure) {
    guard let directory else { return }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    for file in files where !names.contains(file) {
      guard symlink(directory + "/" + file, place + "/" + file) == 0 || errno == EEXIST else {
        throw Failure(
          .unwritableOutput,
          "Csound's plugins in '\(directory)' cannot be linked to in '\(place)':"
            + " \(String(cString: strerror(errno))).")
      }
    }
    setenv("OPCODE6DIR64", place, 1)
  }
}
