/// A page of the report: HTML that is well-formed XML, too, and loads no other file.
package struct Page {
  package var title: String
  package private(set) var body = ""

  package init(_ title: String) { self.title = title }

  /// Adds markup as it is.
  package mutating func add(_ markup: String) { body += markup + "\n" }

  package mutating func add(heading: String, level: Int = 2, id: String? = nil) {
    add("<h\(level)\(id.map { " id=\"\($0)\"" } ?? "")>\(heading.escaped)</h\(level)>")
  }

  /// A paragraph of plain text; text between backquotes becomes code.
  package mutating func add(prose: String, faint: Bool = false) {
    add("<p\(faint ? " class=\"faint\"" : "")>\(prose.escapedProse)</p>")
  }

  package mutating func add(code: String) { add("<pre>\(code.escaped)</pre>") }

  package mutating func add(picture: String, caption: String) {
    add("<figure>\(picture)<figcaption>\(caption.escapedProse)</figcaption></figure>")
  }

  /// A table whose cells are markup; the columns in `numbers`, counted from 0, are aligned on the
  /// right.
  package mutating func add(table headings: [String], numbers: Set<Int> = [], _ rows: [[String]]) {
    func row(_ cells: [String], _ tag: String) -> String {
      let marked = cells.enumerated().map { column, cell in
        "<\(tag)\(numbers.contains(column) ? " class=\"number\"" : "")>\(cell)</\(tag)>"
      }
      return "<tr>\(marked.joined())</tr>"
    }
    let head = "<thead>\(row(headings.map(\.escaped), "th"))</thead>"
    let lines = rows.map { row($0, "td") }.joined(separator: "\n")
    add("<div class=\"wide\"><table>\(head)<tbody>\n\(lines)\n</tbody></table></div>")
  }

  /// A section that is folded away under `summary`; `fill` writes it.
  package mutating func add(
    folded summary: String, isOpen: Bool = false, _ fill: (inout Page) -> Void
  ) {
    var inner = Page(title)
    fill(&inner)
    let state = isOpen ? " open=\"open\"" : ""
    add("<details\(state)><summary>\(summary.escaped)</summary>\n\(inner.body)</details>")
  }

  package var text: String {
    """
    <!DOCTYPE html>
    <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
    <head>
    <meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <title>\(title.escaped)</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    \(body)</body>
    </html>

    """
  }

  /// The colours of pages and pictures, light and dark, as variables of CSS.
  package static let colors = """
    :root {
      color-scheme: light dark;
      --paper: #fbfaf7; --ink: #1d1d1b; --faint: #6d6a63; --rule: #dedad0; --mark: #8a857a;
      --link: #1f5f8b; --tint: #f1eee6;
      --curve-1: #1f6fb2; --curve-2: #c8551b; --curve-3: #7a7a72; --curve-4: #2b8a57;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #191917; --ink: #e9e6df; --faint: #9c978c; --rule: #3a3833; --mark: #827d72;
        --link: #7fb6de; --tint: #23221f;
        --curve-1: #62a9e4; --curve-2: #ec8a53; --curve-3: #a3a097; --curve-4: #62c08b;
      }
    }
    """

  private static let style = """

    \(colors)
    body {
      font: 15px/1.5 system-ui, sans-serif; background: var(--paper); color: var(--ink);
      max-width: 900px; margin: 2rem auto; padding: 0 1rem;
    }
    h1 { font-size: 1.6rem; margin: 0 0 .3rem; }
    h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem; border-top: 1px solid var(--rule); padding-top: 1rem; }
    h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
    p, ul { margin: .5rem 0; } a { color: var(--link); } .faint, figcaption { color: var(--faint); }
    code, pre, .code { font-family: ui-monospace, monospace; font-size: .92em; }
    pre {
      background: var(--tint); padding: .6rem .8rem; overflow-x: auto; line-height: 1.4;
      border-radius: 4px; margin: .6rem 0;
    }
    figure { margin: 1rem 0; } figcaption { font-size: 13px; }
    figure svg { display: block; width: 100%; height: auto; }
    .panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); gap: .4rem 1rem; }
    .panels figure { margin: 0; display: flex; flex-direction: column-reverse; } .panels figcaption { color: var(--ink); }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; font-size: 14px; }
    th { color: var(--faint); font-weight: 500; border-bottom: 1px solid var(--rule); white-space: nowrap; }
    td { border-bottom: 1px solid var(--rule); }
    .number { text-align: right; white-space: nowrap; } td.number { font-size: 13px; }
    .name { white-space: nowrap; }
    details { margin: .8rem 0; } summary { cursor: pointer; }

    """
}

extension String {
  /// The text for use between tags or in an attribute: characters of markup are escaped.
  package var escaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  /// The same; text between backquotes becomes code.
  package var escapedProse: String {
    // Tested first, because each use compiles the regex anew.
    contains("`") ? escaped.replacing(/`([^`]+)`/) { "<code>\($0.1)</code>" } : escaped
  }
}
