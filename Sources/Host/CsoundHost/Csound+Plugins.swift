public import CCsound
import Foundation

extension Csound {
  /// The environment variable that names the directories in which Csound looks for plugins.
  public static let pluginsVariable = CCS_PLUGINS_VARIABLE

  /// A directory that does not exist: as a plugin directory it keeps Csound from loading plugins.
  public static let noPlugins = "/nonexistent"

  /// The directory of the plugins this Csound cannot run without; nil for a Csound that needs none.
  public static let neededPlugins: String? = {
    guard ccs_is_made_of_plugins(), let path = ccs_library_path() else { return nil }
    let library = (String(cString: path) as NSString).resolvingSymlinksInPath
    return plugins(of: library, major: major)
  }()

  /// The directory of a Csound's own plugins, found from the path of its library: beside it in PyPI's package and in an
  /// installation, the same directory in a build of Csound's sources. Nil if there is none.
  public static func plugins(of library: String, major: Int) -> String? {
    let place = (library as NSString).deletingLastPathComponent
    let installed = ["/plugins", "/csound/plugins64-\(major).0"].map { place + $0 }
    return installed.first(where: FileManager.default.fileExists)
      ?? (FileManager.default.fileExists(atPath: place + "/CMakeCache.txt") ? place : nil)
  }

  /// Loads the plugins this Csound cannot run without into a new engine, so that it lists all of its own opcodes; it
  /// would load them when it compiles.
  public static func loadNeededPlugins(_ engine: UnsafeMutablePointer<CSOUND>) {
    if let neededPlugins { csoundLoadPlugins(engine, neededPlugins) }
  }

  /// Environment variables that keep engines from loading installed plugins.
  public static let withoutPlugins = [
    pluginsVariable: neededPlugins ?? noPlugins, "CS_USER_PLUGINDIR": noPlugins,
  ]

  /// Environment variables that keep engines from reading the user's own options (`.csound6rc`).
  public static let withoutOptions = [CCS_OPTIONS_VARIABLE: "/dev/null"]
}
