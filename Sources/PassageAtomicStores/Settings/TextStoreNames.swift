internal import PassageModels

/// What the columns or keys of a file of text are called.
struct TextStoreNames {
  /// The column of the entity's name; `nil` where none names it.
  let entityColumn: String?
  /// The column of the identifier.
  let identifierColumn: String
  /// The name of a property in the file is its column of the user info, or its own.
  private let columns: [String: [String: String]]
  /// The other way.
  private let properties: [String: [String: String]]

  /// The key of the user info that names a property's column.
  static let columnKey = "column"

  /// The column of the identifier where nothing else is said.
  static let identifierName = "id"

  init(settings: TextStoreSettings, facts: [String: EntityFacts]) {
    var columns: [String: [String: String]] = [:]
    var properties: [String: [String: String]] = [:]
    var taken: Set<String> = []
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
      ? nil : settings.entityColumn ?? Self.free("entity", taken)
    identifierColumn = settings.identifierColumn ?? Self.free(Self.identifierName, taken)
  }

  /// A name no property has: no property's name has an at sign.
  private static func free(_ name: String, _ taken: Set<String>) -> String {
    taken.contains(name) ? "@\(name)" : name
  }

  func column(of property: String, _ entity: String) -> String {
    columns[entity]?[property] ?? property
  }

  func property(at column: String, of entity: String) -> String? { properties[entity]?[column] }

  /// Whether any entity has a property of this column.
  func isKnown(_ column: String) -> Bool { properties.values.contains { $0[column] != nil } }
}
