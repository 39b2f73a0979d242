internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Creates the model that the tables of a plain database declare.
///
/// The user info of every entity names its `table` and `key` column, and that of every property its
/// `column`. A model written by hand uses the same keys where its names follow no rule.
struct TableModel {
  /// The keys of a model's user info that name parts of a database.
  enum Key {
    static let table = "table"
    static let key = "key"
    static let column = "column"
    static let otherColumn = "otherColumn"
    static let parentColumn = "parentColumn"
    static let entityColumn = "entityColumn"
    static let positionColumn = "positionColumn"
    static let epoch = "epoch"
  }

  private let schema: TableSchema
  private let connection: Connection
  private var entityNames: [SQLName: String] = [:]
  /// For each table, the property names that are taken in its entity.
  private var taken: [SQLName: Set<String>] = [:]
  private var entities: [SQLName: Entity] = [:]

  /// Reads the model. Only tables are included, not views or virtual tables.
  static func read(
    _ schema: TableSchema, name: String, _ connection: Connection
  ) throws(SQLiteError) -> Model {
    var maker = TableModel(schema: schema, connection: connection)
    return try maker.make(name)
  }

  private init(schema: TableSchema, connection: Connection) {
    self.schema = schema
    self.connection = connection
  }

  private mutating func make(_ name: String) throws(SQLiteError) -> Model {
    let tables = schema.tables.filter { $0.kind == "table" }
    let joins = tables.filter { Self.joinKeys(of: $0, in: schema) != nil }
    let joinNames = Set(joins.map { SQLName($0.name) })
    let stored = tables.filter { !joinNames.contains(SQLName($0.name)) }
    var takenEntities: Set<String> = []
    for table in stored {
      entityNames[SQLName(table.name)] = TableNames.unique(
        TableNames.entity(table: table.name), among: &takenEntities)
    }
    for table in stored { try addEntity(table) }
    for table in stored { addForeignKeys(of: table) }
    for table in joins { addJoin(table) }
    for table in stored { addIndexes(of: table) }
    return Model(
      name: name, entities: stored.compactMap { entities[SQLName($0.name)] })
  }

  // MARK: Keys of tables

  /// The column whose integers are the objects' keys; `nil` if rows are numbered.
  static func keyColumn(of table: TableSchema.Table) -> String? {
    if let column = table.rowIdentifierColumn { return column }
    func isInteger(_ column: String) -> Bool {
      // https://www.sqlite.org/datatype3.html, section 3.1, rule 1.
      table.column(named: column)?.type.contains("INT") == true
    }
    if table.primaryKey.count == 1 {
      return isInteger(table.primaryKey[0]) ? table.primaryKey[0] : nil
    }
    guard table.primaryKey.isEmpty, let column = table.column(named: "id"), isInteger(column.name)
    else { return nil }
    return column.name
  }

  /// Whether a foreign key refers to the key of its parent, which is the usual case.
  static func isToKey(_ key: TableSchema.ForeignKey, _ parent: TableSchema.Table) -> Bool {
    guard key.columns.count == 1, let column = keyColumn(of: parent) else { return false }
    guard let to = key.parentColumns else { return parent.primaryKey == [column] }
    return to.count == 1 && SQLName.areSame(to[0], column)
  }

  /// The columns of the parent to which a foreign key refers; `nil` if there are none.
  static func parentColumns(
    _ key: TableSchema.ForeignKey, _ parent: TableSchema.Table
  ) -> [String]? {
    let columns = key.parentColumns ?? parent.primaryKey
    guard columns.count == key.columns.count, !columns.isEmpty,
      columns.allSatisfy({ parent.column(named: $0) != nil })
    else { return nil }
    return columns
  }

  /// The two foreign keys of a table that holds only pairs: together they are its primary key, and
  /// columns with positions may be beside them.
  static func joinKeys(
    of table: TableSchema.Table, in schema: TableSchema
  ) -> (first: TableSchema.ForeignKey, second: TableSchema.ForeignKey)? {
    guard table.foreignKeys.count == 2 else { return nil }
    let keys = table.foreignKeys
    let columns = Set(keys.flatMap(\.columns).map(SQLName.init))
    guard keys.allSatisfy({ $0.columns.count == 1 }), columns.count == 2,
      keys.allSatisfy({ key in
        schema.table(named: key.parentTable).map {
          $0.kind == "table" && parentColumns(key, $0) != nil
        } == true
      })
    else { return nil }
    let others = table.columns.filter { !columns.contains(SQLName($0.name)) }
    guard others.count <= 1, others.allSatisfy(isPosition) else { return nil }
    let unique = table.indexes.filter(\.isUnique).map {
      Set($0.columns.map { SQLName($0.name) })
    }
    guard Set(table.primaryKey.map(SQLName.init)) == columns || unique.contains(columns)
    else { return nil }
    return (keys[0], keys[1])
  }

  static func isPosition(_ column: TableSchema.Column) -> Bool {
    column.type.contains("INT")
      && (column.name.lowercased() == "position" || column.name.lowercased().hasSuffix("_position"))
  }

  // MARK: Entities

  private mutating func addEntity(_ table: TableSchema.Table) throws(SQLiteError) {
    guard let name = entityNames[SQLName(table.name)] else { return }
    let key = Self.keyColumn(of: table)
    let linked = Set(
      table.foreignKeys.filter { key in
        schema.table(named: key.parentTable).map { Self.isToKey(key, $0) } == true
      }.flatMap(\.columns).map(SQLName.init))
    var entity = Entity(name: name, userInfo: [Key.table: table.name])
    entity.userInfo[Key.key] = key
    var names: Set<String> = []
    for column in table.columns
    where key.map({ SQLName.areSame($0, column.name) }) != true
      && !linked.contains(SQLName(column.name))
    {
      let type = try type(of: column, in: table)
      var attribute = Attribute(
        name: TableNames.unique(TableNames.property(column: column.name), among: &names), type: type
      )
      attribute.isOptional = !column.isRequired
      attribute.defaultValue = TableDefault.value(column.defaultText, as: type)
      attribute.userInfo = [Key.column: column.name]
      entity.attributes.append(attribute)
    }
    taken[SQLName(table.name)] = names
    entities[SQLName(table.name)] = entity
  }

  /// The attribute type for a column's declared type. If the column has no type, or one that has no
  /// meaning in SQLite, the type is that of all its values.
  private func type(
    of column: TableSchema.Column, in table: TableSchema.Table
  ) throws(SQLiteError) -> AttributeType {
    let type = column.type
    func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
    if has("BOOL") { return .boolean }
    if has("UUID", "GUID") { return .uuid }
    // The mapping decides how a date is written, so it is read as a number or text.
    if has("DATE", "TIME") { return try hasOnlyNumbers(column, table) ? .double : .string }
    if has("SMALLINT", "INT2") { return .integer16 }
    if has("MEDIUMINT") { return .integer32 }
    if has("INT") { return .integer64 }
    if has("CHAR", "CLOB", "TEXT", "STRING", "JSON") { return .string }
    if has("BLOB", "BINARY") { return .binary }
    if has("REAL", "FLOA", "DOUB") { return .double }
    if has("DECIMAL", "NUMERIC", "MONEY", "CURRENCY") { return .decimal }
    let classes = try storageClasses(of: column, in: table)
    if classes.isEmpty || classes.contains("text") { return .string }
    if classes.contains("blob") { return classes == ["blob"] ? .binary : .string }
    return classes == ["integer"] ? .integer64 : .double
  }

  private func hasOnlyNumbers(
    _ column: TableSchema.Column, _ table: TableSchema.Table
  ) throws(SQLiteError) -> Bool {
    let classes = try storageClasses(of: column, in: table)
    return !classes.isEmpty && classes.isSubset(of: ["integer", "real"])
  }

  private func storageClasses(
    of column: TableSchema.Column, in table: TableSchema.Table
  ) throws(SQLiteError) -> Set<String> {
    let name = column.name.quotedIdentifier
    return Set(
      try connection.rows(
        "SELECT DISTINCT typeof(\(name)) FROM \(table.name.quotedIdentifier) "
          + "WHERE \(name) IS NOT NULL"
      ).compactMap { $0[0].string })
  }

  // MARK: Relationships

  private mutating func addForeignKeys(of table: TableSchema.Table) {
    let own = SQLName(table.name)
    let toSame = Dictionary(grouping: table.foreignKeys) { SQLName($0.parentTable) }
    for key in table.foreignKeys {
      guard let parent = schema.table(named: key.parentTable),
        let parentName = entityNames[SQLName(parent.name)],
        let columns = Self.parentColumns(key, parent), columns.count == key.columns.count
      else { continue }
      let isOneToOne =
        table.primaryKey.map(SQLName.init) == key.columns.map(SQLName.init)
        || table.indexes.contains {
          $0.isUnique
            && $0.columns.map({ SQLName($0.name) }) == key.columns.map(SQLName.init)
        }
      let name = relationshipName(of: key, to: columns, parentName, in: own)
      let entityName = entityNames[own] ?? table.name
      let plain = isOneToOne ? entityName : TableNames.table(entity: entityName)
      let several = (toSame[SQLName(key.parentTable)]?.count ?? 1) > 1
      let inverse = TableNames.unique(
        TableNames.property(column: several ? "\(name)_\(plain)" : plain),
        among: &taken[SQLName(parent.name), default: []])
      let isRequired = key.columns.allSatisfy { table.column(named: $0)?.isRequired == true }
      let columnText = ColumnList.text(key.columns)
      entities[own]?.relationships.append(
        Relationship(
          name: name, destinationEntityName: parentName, inverseName: inverse,
          isOptional: !isRequired, userInfo: [Key.column: columnText]))
      entities[SQLName(parent.name)]?.relationships.append(
        Relationship(
          name: inverse, destinationEntityName: entityNames[own] ?? "", inverseName: name,
          maximumCount: isOneToOne ? 1 : 0, deleteRule: Self.deleteRule(key.onDelete)))
    }
  }

  /// The name of the relationship for a foreign key: its column's name without the parent's column,
  /// so that `country_code` gives `country`. If that is the name of an attribute, the name of the
  /// parent.
  private mutating func relationshipName(
    of key: TableSchema.ForeignKey, to parentColumns: [String], _ parentName: String,
    in own: SQLName
  ) -> String {
    let parent = TableNames.property(column: parentName)
    var base = parent
    if key.columns.count == 1 {
      base = TableNames.relationship(column: key.columns[0], to: parentColumns[0])
      if taken[own]?.contains(base.lowercased()) == true { base = parent }
    }
    return TableNames.unique(base, among: &taken[own, default: []])
  }

  private static func deleteRule(_ text: String) -> Relationship.DeleteRule {
    switch text {
    case "CASCADE": .cascade
    case "RESTRICT": .deny
    case "SET NULL", "SET DEFAULT": .nullify
    default: .noAction
    }
  }

  /// Adds two to-many relationships for a table of pairs.
  private mutating func addJoin(_ table: TableSchema.Table) {
    guard let keys = Self.joinKeys(of: table, in: schema),
      let first = schema.table(named: keys.first.parentTable),
      let second = schema.table(named: keys.second.parentTable),
      let firstName = entityNames[SQLName(first.name)],
      let secondName = entityNames[SQLName(second.name)]
    else { return }
    let (own, other) = (SQLName(first.name), SQLName(second.name))
    func name(_ key: TableSchema.ForeignKey) -> String {
      let word = TableNames.relationship(column: key.columns[0])
      return TableNames.property(column: TableNames.table(entity: word))
    }
    let forth = TableNames.unique(name(keys.second), among: &taken[own, default: []])
    let back = TableNames.unique(name(keys.first), among: &taken[other, default: []])
    let position = table.columns.first(where: Self.isPosition)?.name
    func info(_ own: String, _ other: String, _ position: String?) -> [String: String] {
      var info = [Key.table: table.name, Key.column: own, Key.otherColumn: other]
      info[Key.positionColumn] = position
      return info
    }
    let (a, b) = (keys.first.columns[0], keys.second.columns[0])
    entities[own]?.relationships.append(
      Relationship(
        name: forth, destinationEntityName: secondName, inverseName: back, maximumCount: 0,
        isOrdered: position != nil, userInfo: info(a, b, position)))
    entities[other]?.relationships.append(
      Relationship(
        name: back, destinationEntityName: firstName, inverseName: forth, maximumCount: 0,
        userInfo: info(b, a, nil)))
  }

  // MARK: Indexes

  private mutating func addIndexes(of table: TableSchema.Table) {
    let own = SQLName(table.name)
    guard var entity = entities[own] else { return }
    let attributes = Dictionary(
      entity.attributes.map { (SQLName($0.userInfo[Key.column] ?? ""), $0.name) },
      uniquingKeysWith: { first, _ in first })
    func names(_ columns: [String]) -> [String]? {
      let names = columns.compactMap { attributes[SQLName($0)] }
      return names.count == columns.count ? names : nil
    }
    var constraints: [[String]] = []
    if Self.keyColumn(of: table) == nil, let key = names(table.primaryKey), !key.isEmpty {
      constraints.append(key)
    }
    var taken: Set<String> = []
    for index in table.indexes {
      guard let properties = names(index.columns.map(\.name)), !properties.isEmpty else { continue }
      if index.isUnique {
        if !constraints.contains(properties) { constraints.append(properties) }
      } else if index.isNamed {
        entity.indexes.append(
          Entity.Index(
            name: TableNames.unique(TableNames.property(column: index.name), among: &taken),
            elements: zip(properties, index.columns).map {
              Entity.Index.Element(propertyName: $0, isAscending: $1.isAscending)
            }))
      }
    }
    entity.uniquenessConstraints = constraints
    entities[own] = entity
  }
}
