extension XMLStoreText {
  /// The text as in the file: `<`, `&` and characters that XML cannot hold are escaped, and so is a
  /// backslash that would begin an escape.
  ///
  /// - Complexity: O(n) in the characters.
  package static func encode(_ text: String) -> String {
    // A text of white space alone would be ignored as layout.
    let isBlank = text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    var encoded = ""
    var brackets = 0
    var isAfterBackslash = false
    for scalar in text.unicodeScalars {
      if isAfterBackslash {
        encoded += scalar == "u" ? escape(0x5C) : "\\"
        isAfterBackslash = false
      }
      switch scalar {
      case "\\": isAfterBackslash = true
      case "<", "&", "\r", "\u{FFFE}", "\u{FFFF}": encoded += escape(UInt16(scalar.value))
      case ">" where brackets >= 2: encoded += escape(UInt16(scalar.value))
      case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t":
        encoded += escape(UInt16(scalar.value))
      case _ where isBlank && scalar.value < 0x1_0000: encoded += escape(UInt16(scalar.value))
      default: encoded.unicodeScalars.append(scalar)
      }
      brackets = scalar == "]" ? brackets + 1 : 0
    }
    return isAfterBackslash ? encoded + "\\" : encoded
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit.byteSwapped, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
