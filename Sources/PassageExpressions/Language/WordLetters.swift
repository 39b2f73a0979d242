/// The letters that words of the language are made of.
enum WordLetters {
  /// Whether a word can begin with it.
  static func begin(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic
  }

  /// Whether it can follow the first letter.
  static func areInside(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "_": true
    default:
      scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
    }
  }
}
