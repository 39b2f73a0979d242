internal import PassageSQLite

extension String {
  /// The name as Core Data writes it in a schema: bare when SQL allows that, in double quotes
  /// otherwise, so that no name from a model can be read as anything but a name.
  var layoutIdentifier: String {
    let isBare = utf8.enumerated().allSatisfy { index, byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "_"), 0x80...:
        // SQLite takes every byte beyond ASCII for a letter.
        true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): index > 0
      default: false
      }
    }
    // Every name of the layout starts with "Z" or is REFLEXIVE: none of them is a keyword.
    return isBare && !isEmpty ? self : quotedIdentifier
  }

  /// The text as a literal of SQL.
  var textLiteral: String { "'\(replacing("'", with: "''"))'" }
}

/// Compares texts byte by byte, as Core Data's layout orders names.
func isOrderedByCodeUnits(_ a: String, _ b: String) -> Bool {
  a.utf8.lexicographicallyPrecedes(b.utf8)
}
