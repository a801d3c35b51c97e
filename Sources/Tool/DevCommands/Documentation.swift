import Foundation

/// All pages: the README and the articles of the DocC catalogs in `Sources`.
public struct Documentation: Sendable {
  public var readme: Article
  /// In alphabetical order of their paths.
  public var articles: [Article]

  /// Reads all pages below a project's root.
  public init(root: String) {
    func article(_ path: String) -> Article? {
      (try? String(contentsOfFile: root + "/" + path, encoding: .utf8))
        .map { Article(path: path, text: $0) }
    }
    readme = article("README.md") ?? Article(path: "README.md", text: "")
    let paths =
      FileManager.default.enumerator(atPath: root + "/Sources")?
      .compactMap { $0 as? String } ?? []
    articles = paths.filter { $0.hasSuffix(".md") && $0.contains(".docc/") }.sorted()
      .compactMap { article("Sources/" + $0) }
  }

  public var pages: [Article] { [readme] + articles }

  /// What is wrong with the links to other pages and files, one sentence each.
  public func problems(exists: (String) -> Bool) -> [String] {
    pages.flatMap { page in
      page.links.compactMap { link -> String? in
        guard !Self.isElsewhere(link.target) else { return nil }
        let place = "\(page.path), line \(link.line): '\(link.target)'"
        let (path, fragment) = target(of: link.target, in: page)
        guard exists(path) else { return "\(place) leads to '\(path)', which does not exist." }
        guard let fragment else { return nil }
        let headings = pages.first { $0.path == path }?.headings ?? []
        guard headings.contains(where: { $0.fragment == fragment }) else {
          return "\(place) leads to a heading that '\(path)' does not have."
        }
        return nil
      }
    }
  }

  /// The articles for DocC, by file name. Links to other pages become DocC's links; for files of
  /// the repository, which the site does not have, only the name is left.
  public var catalog: [String: String] {
    let names = Dictionary(articles.map { ($0.path, $0) }) { first, _ in first }
    return Dictionary(
      articles.map { page in
        let text = page.mapProse { line in
          line.replacing(/\[((?:[^\[\]]|\[\])*)\]\(([^()\s]+)\)/) { match in
            let (text, target) = (String(match.output.1), String(match.output.2))
            guard !Self.isElsewhere(target) else { return String(match.output.0) }
            let (path, fragment) = self.target(of: target, in: page)
            guard let article = names[path] else {
              return text.contains(path) ? text : "\(text) (`\(path)`)"
            }
            let heading = article.headings.first { $0.fragment == fragment }
            return "[\(text)](doc:\(article.name)\(heading.map { "#\($0.anchor)" } ?? ""))"
          }
        }
        return ((page.path as NSString).lastPathComponent, text)
      }
    ) { first, _ in first }
  }

  private static func isElsewhere(_ target: String) -> Bool { target.contains(/^[a-z]+:/) }

  /// A link's path from the project's root, and its fragment.
  private func target(of link: String, in page: Article) -> (path: String, fragment: String?) {
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let fragment = parts.count > 1 ? String(parts[1]) : nil
    guard !parts[0].isEmpty else { return (page.path, fragment) }
    var folders = page.path.split(separator: "/").dropLast().map(String.init)
    for part in parts[0].split(separator: "/") where part != "." {
      if part != ".." {
        folders.append(String(part))
      } else if !folders.isEmpty {
        folders.removeLast()
      }
    }
    return (folders.joined(separator: "/"), fragment)
  }
}
