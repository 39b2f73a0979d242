internal import PassageModels

/// The names of columns or keys in a text file.
struct TextStoreNames {
  /// The column with the entity's name; `nil` if there is none.
  let entityColumn: String?
  /// The column with the identifier.
  let identifierColumn: String
  /// Column names by entity and property: the property's column in its user info, or its own name.
  private let columns: [String: [String: String]]
  /// Property names by entity and column.
  private let properties: [String: [String: String]]
  /// The columns of relationships by entity.
  private let relationshipColumns: [String: Set<String>]

  /// The user-info key for the column of a property.
  static let columnKey = "column"

  /// The default name of the entity's column.
  static let entityName = "entity"

  /// The default name of the identifier's column.
  static let identifierName = "id"

  init(settings: TextStoreSettings, facts: [String: EntityFacts]) {
    var columns: [String: [String: String]] = [:]
    var properties: [String: [String: String]] = [:]
    var taken: Set<String> = []
    relationshipColumns = facts.mapValues { facts in
      Set(facts.relationships.values.map { $0.userInfo[Self.columnKey] ?? $0.name })
    }
    for (entity, facts) in facts {
      let named =
        facts.attributes.values.map { ($0.name, $0.userInfo[Self.columnKey] ?? $0.name) }
        + facts.relationships.values.map { ($0.name, $0.userInfo[Self.columnKey] ?? $0.name) }
      for (name, column) in named {
        columns[entity, default: [:]][name] = column
        properties[entity, default: [:]][column] = name
        taken.insert(column)
      }
    }
    self.columns = columns
    self.properties = properties
    entityColumn =
      settings.entityName != nil
      ? nil : settings.entityColumn ?? Self.free(Self.entityName, taken)
    identifierColumn = settings.identifierColumn ?? Self.free(Self.identifierName, taken)
  }

  /// A name that no property has: property names do not contain an at sign.
  private static func free(_ name: String, _ taken: Set<String>) -> String {
    taken.contains(name) ? "@\(name)" : name
  }

  func column(of property: String, _ entity: String) -> String {
    columns[entity]?[property] ?? property
  }

  func property(at column: String, of entity: String) -> String? { properties[entity]?[column] }

  /// Whether a column holds a relationship of an entity.
  func isRelationship(at column: String, of entity: String) -> Bool {
    relationshipColumns[entity]?.contains(column) == true
  }

  /// Whether any entity has a property with this column.
  func isKnown(_ column: String) -> Bool { properties.values.contains { $0[column] != nil } }
}
