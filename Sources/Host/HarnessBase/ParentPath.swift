extension String {
  /// The path without its last component: `a` for `a/b` and `a/b/`, `/` for `/a`, empty for `a`.
  ///
  /// Like Foundation's `deletingLastPathComponent`, which crashes on a path of one character.
  package var parentPath: String {
    var path = self[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return "" }
    var parent = path[..<slash]
    while parent.last == "/" { parent.removeLast() }
    return parent.isEmpty ? "/" : String(parent)
  }
}
