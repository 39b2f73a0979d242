extension String {
  /// The longest name of an entity or a property in bytes. Every message about it repeats the name.
  package static let maximumNameBytes = 1_000

  /// The name of an entity or a property; only its beginning if it is too long. That is still too long, so
  /// that `ModelChecker` reports it, and short enough to be repeated for every part of an entity.
  package var cutToName: String {
    utf8.count <= Self.maximumNameBytes
      ? self : String(unicodeScalars.prefix(Self.maximumNameBytes + 1))
  }

  /// Whether the text is a valid name of an entity or a property: a letter or an underscore, then
  /// letters, digits and underscores; at most ``maximumNameBytes`` bytes.
  var isPropertyName: Bool {
    guard utf8.count <= Self.maximumNameBytes, let first = unicodeScalars.first,
      first == "_" || first.properties.isAlphabetic
    else { return false }
    return unicodeScalars.allSatisfy {
      $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType == .decimal
        || $0.properties.generalCategory == .nonspacingMark
    }
  }

  /// Whether every character is ASCII.
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
