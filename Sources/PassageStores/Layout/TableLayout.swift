internal import PassageSQLite

/// The table of one root entity and all its descendants.
package struct TableLayout: Sendable, Hashable {
  /// The name as it stands in the store: `Z` and the root entity's name in capitals.
  package var name: String
  /// The entity without parent that owns the table.
  package var rootEntityName: String
  /// Whether objects of several entities share the table.
  package var hasSubentities: Bool
  /// In the order of the table; the first three are `Z_PK`, `Z_ENT` and `Z_OPT`.
  package var columns: [Column]

  package init(name: String, rootEntityName: String, hasSubentities: Bool, columns: [Column]) {
    self.name = name
    self.rootEntityName = rootEntityName
    self.hasSubentities = hasSubentities
    self.columns = columns
  }

  /// The statement that makes the table, in the words Core Data writes.
  package var createStatement: String {
    let definitions = columns.map { column in
      let suffix = column.role == .key ? " PRIMARY KEY" : ""
      return "\(column.name.layoutIdentifier) \(column.type.rawValue)\(suffix)"
    }
    return "CREATE TABLE \(name.layoutIdentifier) ( \(definitions.joined(separator: ", ")) )"
  }
}

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
}
