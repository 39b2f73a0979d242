/// The characters of words in the language.
enum WordLetters {
  /// Whether a word can begin with the character.
  static func begin(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic
  }

  /// Whether the character can follow the first one.
  static func areInside(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "_": true
    default:
      scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
    }
  }
}
