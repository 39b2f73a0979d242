extension String {
  /// Whether the text is a valid name of an entity or a property: a letter or an underscore, then
  /// letters, digits and underscores.
  var isPropertyName: Bool {
    guard let first = unicodeScalars.first, first == "_" || first.properties.isAlphabetic else {
      return false
    }
    return unicodeScalars.allSatisfy {
      $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType == .decimal
        || $0.properties.generalCategory == .nonspacingMark
    }
  }

  /// Whether every character is ASCII.
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
