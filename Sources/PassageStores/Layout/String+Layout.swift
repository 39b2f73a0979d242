internal import PassageSQLite

extension String {
  /// The name as Core Data writes it in a schema: unquoted if SQL allows that, otherwise in double
  /// quotes, so that a name from a model cannot be read as anything else.
  var layoutIdentifier: String {
    let isBare = utf8.enumerated().allSatisfy { index, byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "_"), 0x80...:
        // SQLite treats every byte beyond ASCII as a letter.
        true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): index > 0
      default: false
      }
    }
    // Every name of the layout starts with "Z" or is REFLEXIVE, so none is a keyword.
    return isBare && !isEmpty ? self : quotedIdentifier
  }

  /// The text as an SQL literal.
  var textLiteral: String { "'\(replacing("'", with: "''"))'" }
}

/// Compares texts byte by byte, the order of names in Core Data's layout.
func isOrderedByCodeUnits(_ a: String, _ b: String) -> Bool {
  a.utf8.lexicographicallyPrecedes(b.utf8)
}
