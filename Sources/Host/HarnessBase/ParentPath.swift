extension String {
  /// The path without its last part: `a` of `a/b` and `a/b/`, `/` of `/a`, nothing of `a`.
  ///
  /// As Foundation's `deletingLastPathComponent`, which crashes on a path of one character.
  package var parentPath: String {
    var path = self[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return "" }
    var parent = path[..<slash]
    while parent.last == "/" { parent.removeLast() }
    return parent.isEmpty ? "/" : String(parent)
  }
}
