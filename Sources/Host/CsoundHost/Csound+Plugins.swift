import CCsound
import Foundation

extension Csound {
  /// The variable with the directories in which Csound looks for plugins.
  public static let pluginsVariable = CCS_PLUGINS_VARIABLE

  /// Where Csound finds no plugins.
  public static let noPlugins = "/nonexistent"

  /// Where Csound's own plugins are that it cannot do without; nil where it can.
  public static let neededPlugins: String? = {
    guard ccs_is_made_of_plugins(), let path = ccs_library_path() else { return nil }
    let library = (String(cString: path) as NSString).resolvingSymlinksInPath
    return (library as NSString).deletingLastPathComponent + "/plugins"
  }()

  /// Variables that keep installed plugins out of engines.
  public static let withoutPlugins = [
    pluginsVariable: neededPlugins ?? noPlugins, "CS_USER_PLUGINDIR": noPlugins,
  ]

  /// Variables that keep the user's own options out of engines.
  public static let withoutOptions = [CCS_OPTIONS_VARIABLE: "/dev/null"]
}
