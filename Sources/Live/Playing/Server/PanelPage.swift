import Foundation
import HarnessBase

/// The files of the panel's page: an HTML document, a style sheet and JavaScript modules. They are read once, from
/// the kit's directory.
enum PanelPage {
  struct File: Sendable {
    /// The value of the HTTP header `Content-Type`.
    let type: String
    let bytes: [UInt8]
  }

  /// The file at a path of the server, such as `/panel.css`; nil if there is none.
  static func file(_ path: String) -> File? { files[path] }

  private static let types = [
    "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
  ]

  private static let files: [String: File] = {
    let folder = kitDirectory + "/Sources/Live/Playing/Server/Page"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let files = names.compactMap { name -> (String, File)? in
      guard let type = types[(name as NSString).pathExtension],
        let content = FileManager.default.contents(atPath: "\(folder)/\(name)")
      else { return nil }
      return (name == "index.html" ? "/" : "/" + name, File(type: type, bytes: [UInt8](content)))
    }
    return Dictionary(uniqueKeysWithValues: files)
  }()
}
