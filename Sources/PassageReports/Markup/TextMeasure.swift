internal import PassagePlatform

/// How wide a text is at most, for drawings. Nobody knows which font a browser takes, so every
/// character counts as wide as it is in the widest usual one.
package struct TextMeasure: Sendable {
  /// The size of the font, in pixels.
  package var size: Double
  /// Whether the font is bold, which is wider.
  package var isBold = false

  package init(size: Double, isBold: Bool = false) {
    self.size = size
    self.isBold = isBold
  }

  /// The largest width of a text in pixels.
  ///
  /// - Complexity: O(n) in the scalars.
  package func width(_ text: String) -> Double {
    text.unicodeScalars.reduce(0) { $0 + Self.ems($1) } * size * (isBold ? 1.1 : 1)
  }

  /// The text, or its beginning and an ellipsis if it may be wider than there is room.
  package func fitted(_ text: String, into room: Double) -> String {
    let printable = EscapedText.printable(text).inOneLine
    guard width(printable) > room else { return printable }
    var left = room - width("…")
    var fitted = ""
    for character in printable {
      left -= width(String(character))
      if left < 0 { break }
      fitted.append(character)
    }
    return fitted + "…"
  }

  private static func ems(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!", " ", "(", ")", "[", "]": 0.42
    case "f", "r", "t", "s", "-", "c", "z", "J", "/": 0.56
    case "m", "w", "M", "W", "@", "%", "…", "→", "—": 1.02
    case "A"..."Z", "&", "#", "+", "=", "<", ">", "~": 0.82
    case " "..."~": 0.66
    case "\u{00A0}"..."\u{058F}", "“", "”", "·", "–": 0.86
    default: 1.3
    }
  }
}
