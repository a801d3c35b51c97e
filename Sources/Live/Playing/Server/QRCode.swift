import CQrencode

/// Draws a text as a QR code for a terminal.
package enum QRCode {
  /// Lines of half blocks in white and black, with a margin of 2 modules; nil if the text is too long.
  package static func terminalText(_ text: String) -> String? {
    guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    let margin = 2
    func isDark(_ x: Int, _ y: Int) -> Bool {
      (0..<width).contains(x) && (0..<width).contains(y)
        && code.pointee.data[y * width + x] & 1 == 1
    }
    return stride(from: -margin, to: width + margin, by: 2).map { y in
      let line = (-margin..<width + margin).map { x in
        switch (isDark(x, y), isDark(x, y + 1)) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
      }
      return "\u{1B}[97;40m\(line.joined())\u{1B}[0m\n"
    }.joined()
  }
}
