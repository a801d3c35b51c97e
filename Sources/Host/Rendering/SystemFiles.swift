import CCsound
import Foundation
import HarnessBase

/// The paths that any piece may read: Csound, the system's libraries and their data, and the paths in
/// the user's environment variables.
enum SystemFiles {
  /// Directories and files, some of which may not exist.
  static var readable: [String] { system + csound + named }

  /// Devices that any piece may read and write.
  static let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]

  private static let system = [
    "/usr", "/lib", "/lib32", "/lib64", "/opt",
    "/etc/alsa", "/etc/asound.conf", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
    "/etc/ld.so.preload", "/etc/localtime",
    "/proc/cpuinfo", "/proc/meminfo", "/proc/self", "/proc/stat",
    "/proc/sys/vm/overcommit_memory", "/sys/devices/system/cpu",
  ]

  /// The directory of Csound's library, which may be outside of the system's, and the user's own
  /// options.
  private static var csound: [String] {
    let home = ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()
    var paths = [".csound6rc", ".csound7rc", ".csoundrc"].map { home + "/" + $0 }
    if let library = ccs_library_path() { paths.append(String(cString: library).parentPath) }
    return paths
  }

  /// The variables that name directories with sound, analysis, MIDI and included files, plugins and
  /// libraries, or the file of options.
  static let variables = [
    "SSDIR", "SFDIR", "SADIR", "MFDIR", "INCDIR", "SNAPDIR", "RAWWAVE_PATH", "CS_USER_PLUGINDIR",
    "OPCODE6DIR", "OPCODE6DIR64", "OPCODE7DIR", "OPCODE7DIR64", "CSOUND6RC", "CSOUND7RC",
    "CSOUNDRC", "LD_LIBRARY_PATH",
  ]

  private static var named: [String] {
    let environment = ProcessInfo.processInfo.environment
    return variables.flatMap { name in
      (environment[name] ?? "").split { $0 == ":" || $0 == ";" }.map(String.init)
    }
  }
}
