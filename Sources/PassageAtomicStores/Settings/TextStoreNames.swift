internal import PassageDiagnostics
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
  /// Columns that several properties of an entity have.
  private let shared: [(entity: String, column: String, properties: [String])]

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
    var relationshipColumns: [String: Set<String>] = [:]
    var shared: [(entity: String, column: String, properties: [String])] = []
    for (entity, facts) in facts.sorted(by: { $0.key < $1.key }) {
      let names = Self.columns(of: facts)
      for (column, owners) in Dictionary(grouping: names, by: \.value) where owners.count > 1 {
        shared.append((entity, column, owners.map(\.key).sorted()))
      }
      for (name, column) in names {
        columns[entity, default: [:]][name] = column
        properties[entity, default: [:]][column] = name
        taken.insert(column)
        if facts.relationships[name] != nil {
          relationshipColumns[entity, default: []].insert(column)
        }
      }
    }
    self.relationshipColumns = relationshipColumns
    self.shared = shared.sorted { ($0.entity, $0.column) < ($1.entity, $1.column) }
    self.columns = columns
    self.properties = properties
    entityColumn =
      settings.entityName != nil
      ? nil : settings.entityColumn ?? Self.free(Self.entityName, taken)
    identifierColumn = settings.identifierColumn ?? Self.free(Self.identifierName, taken)
  }

  /// The column of each property of an entity.
  ///
  /// In a database, the column of a relationship may be that of an attribute too: a foreign key to a column with
  /// values that mean something, or a column of a table of pairs that is called like one of the table of objects.
  /// Here it holds the attribute, and the relationship has its own name.
  private static func columns(of facts: EntityFacts) -> [String: String] {
    var columns: [String: String] = [:]
    for attribute in facts.attributes.values {
      columns[attribute.name] = attribute.userInfo[columnKey] ?? attribute.name
    }
    for relationship in facts.relationships.values {
      columns[relationship.name] = relationship.userInfo[columnKey] ?? relationship.name
    }
    for name in facts.relationships.keys.sorted()
    where columns.contains(where: { $0.key != name && $0.value == columns[name] }) {
      columns[name] = name
    }
    return columns
  }

  /// What is wrong with the columns: of several properties with one column, a file has room for one.
  ///
  /// - Parameter path: the file's.
  func mistakes(path: String) -> Diagnostics {
    Diagnostics(
      shared.map { entity, column, properties in
        Diagnostic(
          "ATM-024",
          "\(properties.map { "“\($0)”" }.joined(separator: " and ")) of “\(entity)” have the same "
            + "column “\(column)”",
          at: SourceLocation(file: path),
          reason: "the model says so in “\(Self.columnKey)” of their user info",
          remedy: "give each a column of its own")
      })
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
