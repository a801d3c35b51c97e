extension StringProtocol {
  /// The lines of a text that a person has written, which may end as on Windows or, in old pieces, with a carriage return
  /// alone. A text that ends with a line's end has an empty last line.
  package var textLines: [SubSequence] {
    split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }
}
