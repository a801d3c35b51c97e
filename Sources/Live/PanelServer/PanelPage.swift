/// The page of the panel: one document, one stylesheet, modules of JavaScript, in the program itself.
public enum PanelPage {
  public struct File: Sendable {
    /// As HTTP has it.
    public let type: String
    public let bytes: [UInt8]

    public init(type: String, bytes: [UInt8]) { (self.type, self.bytes) = (type, bytes) }
  }

  /// The file at a path of the server, such as `/panel.css`; nil where there is none.
  public static func file(_ path: String) -> File? { files[path] }

  /// All paths.
  public static var paths: [String] { files.keys.sorted() }

  private static let script = "text/javascript; charset=utf-8"

  private static let files: [String: File] = [
    "/": File(type: "text/html; charset=utf-8", bytes: PackageResources.index_html),
    "/panel.css": File(type: "text/css; charset=utf-8", bytes: PackageResources.panel_css),
    "/main.js": File(type: script, bytes: PackageResources.main_js),
    "/connection.js": File(type: script, bytes: PackageResources.connection_js),
    "/build.js": File(type: script, bytes: PackageResources.build_js),
    "/loads.js": File(type: script, bytes: PackageResources.loads_js),
    "/learn.js": File(type: script, bytes: PackageResources.learn_js),
    "/names.js": File(type: script, bytes: PackageResources.names_js),
    "/arrange.js": File(type: script, bytes: PackageResources.arrange_js),
    "/range.js": File(type: script, bytes: PackageResources.range_js),
    "/widget.js": File(type: script, bytes: PackageResources.widget_js),
    "/valuators.js": File(type: script, bytes: PackageResources.valuators_js),
    "/pad.js": File(type: script, bytes: PackageResources.pad_js),
    "/buttons.js": File(type: script, bytes: PackageResources.buttons_js),
    "/choices.js": File(type: script, bytes: PackageResources.choices_js),
    "/displays.js": File(type: script, bytes: PackageResources.displays_js),
    "/tables.js": File(type: script, bytes: PackageResources.tables_js),
    "/output.js": File(type: script, bytes: PackageResources.output_js),
    "/motion.js": File(type: script, bytes: PackageResources.motion_js),
    "/keyboard.js": File(type: script, bytes: PackageResources.keyboard_js),
  ]
}
