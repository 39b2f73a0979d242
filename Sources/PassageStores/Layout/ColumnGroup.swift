package import PassageModels

/// The kinds of value, in the order in which a table's columns have them.
enum ColumnGroup: CaseIterable {
  case integers
  case numbers
  case decimals
  case strings
  case uris
  case uuids
  case transformables
  case binaries
  /// Kinds that have not been seen in any store; they come last.
  case others

  /// `nil` for an attribute without type, which has no column.
  init?(_ type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: self = .integers
    case .double, .float, .date: self = .numbers
    case .decimal: self = .decimals
    case .string: self = .strings
    case .uri: self = .uris
    case .uuid: self = .uuids
    case .transformable: self = .transformables
    case .binary: self = .binaries
    case .objectID, .composite: self = .others
    case .undefined: return nil
    }
  }
}

extension AttributeType {
  /// The declared type of the attribute's column.
  package var declaredType: Column.DeclaredType {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: .integer
    case .double, .float: .float
    case .date: .timestamp
    case .decimal: .decimal
    case .string, .uri, .objectID: .varchar
    case .uuid, .transformable, .binary, .composite, .undefined: .blob
    }
  }
}
