/// Colours by their names on the web, as panels use them, or as `#rrggbb`.
enum ColorNames {
  static func color(_ name: String) -> PanelColor? {
    if name.hasPrefix("#") { return PanelColor(name.lowercased()) }
    guard let parts = table[name.lowercased()] else { return nil }
    return PanelColor(
      UInt8(parts >> 16 & 255), UInt8(parts >> 8 & 255), UInt8(parts & 255),
      alpha: name.lowercased() == "transparent" ? 0 : 1)
  }

  private static let table: [String: UInt32] = [
    "aqua": 0x00FFFF, "beige": 0xF5F5DC, "black": 0x000000, "blue": 0x0000FF, "brown": 0xA52A2A,
    "cyan": 0x00FFFF, "darkblue": 0x00008B, "darkgreen": 0x006400, "darkgrey": 0x555555,
    "darkgray": 0xA9A9A9, "darkslategrey": 0x2F4F4F, "darkslategray": 0x2F4F4F, "gold": 0xFFD700,
    "gray": 0x808080, "green": 0x008000, "grey": 0x808080, "ivory": 0xFFFFF0, "lightblue": 0xADD8E6,
    "lightgreen": 0x90EE90, "lightgrey": 0xD3D3D3, "lightgray": 0xD3D3D3, "lime": 0x00FF00,
    "magenta": 0xFF00FF, "maroon": 0x800000, "navy": 0x000080, "olive": 0x808000,
    "orange": 0xFFA500,
    "pink": 0xFFC0CB, "purple": 0x800080, "red": 0xFF0000, "silver": 0xC0C0C0,
    "slategrey": 0x708090,
    "steelblue": 0x4682B4, "teal": 0x008080, "tomato": 0xFF6347, "transparent": 0x000000,
    "violet": 0xEE82EE, "white": 0xFFFFFF, "yellow": 0xFFFF00,
  ]
}
