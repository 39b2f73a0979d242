internal import PassagePages

/// One column of an entity's table.
package struct Column: Sendable, Hashable {
  /// The declared types that Core Data writes; they decide the column's affinity
  /// (https://www.sqlite.org/datatype3.html, section 3.1).
  package enum DeclaredType: String, Sendable, Hashable, CaseIterable {
    case integer = "INTEGER"
    case float = "FLOAT"
    case timestamp = "TIMESTAMP"
    case decimal = "DECIMAL"
    case varchar = "VARCHAR"
    case blob = "BLOB"

    /// Whether SQLite converts the same values before it compares a column of this type, and one that a
    /// store declares with another, with anything.
    package func isCompared(like declared: String) -> Bool {
      Affinity(declaredType: declared).comparesLike(Affinity(declaredType: rawValue))
    }
  }

  /// What the column holds.
  package enum Role: Sendable, Hashable {
    /// `Z_PK`: the object's key, unique in its table.
    case key
    /// `Z_ENT`: the number of the object's entity.
    case entityNumber
    /// `Z_OPT`: how many times the object was saved.
    case saveCount
    /// The value of an attribute that `entity` declares.
    case attribute(entity: String, name: String)
    /// The key of the related object; `entity` declares the relationship. For a to-many
    /// relationship without inverse, the column is in the destination's table and holds the key of
    /// the object that the relationship starts from.
    case foreignKey(entity: String, relationship: String)
    /// The entity number of the object that the foreign key names.
    case foreignEntity(entity: String, relationship: String)
    /// The position of the object in an ordered to-many relationship. `entity` declares the foreign
    /// key whose inverse that relationship is.
    case order(entity: String, relationship: String)
  }

  /// The name in the table.
  package var name: String
  package var type: DeclaredType
  package var role: Role

  package init(name: String, type: DeclaredType, role: Role) {
    self.name = name
    self.type = type
    self.role = role
  }
}
