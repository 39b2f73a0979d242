internal import PassageModels
internal import PassageStores

/// The ordinary tables of a model, with the names of each entity, property and link in them.
///
/// The same plan is used for writing, which creates these tables, and for reading, which looks for
/// them in a database. A name is in the user info of an entity or property, or follows the rules of
/// ``TableNames``.
struct TablePlan {
  struct Column {
    enum Role {
      case attribute(Attribute)
      /// The key of an object in the table of the root entity `targetRoot`.
      case toOne(Relationship, ownerEntity: String, targetRoot: String, targetEntity: String)
      /// The position in an ordered relationship, beside the column with the key.
      case position(of: String)
    }

    /// The name in the plain table.
    var name: String
    /// The name in Core Data's table.
    var storedName: String
    var role: Role
    /// The entity that declares it.
    var entityName: String
    var isRequired: Bool
    /// For a one-to-one relationship, the column of the other side, which has no column in the
    /// plain table.
    var mirror: Mirror?
  }

  struct Mirror {
    var storedTable: String
    var storedColumn: String
  }

  struct Table {
    var name: String
    var storedName: String
    var root: Entity
    /// The key column, as the model names it or by the rule. A database that is read may have
    /// another.
    var keyColumn: String
    var isKeyNamed: Bool
    /// The column that names the entity of each row; `nil` for a table of one entity.
    var entityColumn: String?
    var columns: [Column]
  }

  struct Join {
    var name: String
    var stored: JoinTable
    var owner: End
    var other: End

    struct End {
      var column: String
      var storedColumn: String
      /// The root entity to whose table the keys in the column refer.
      var root: String
      /// The position of the related objects in the relationship of this end.
      var position: (name: String, storedName: String)?
    }
  }

  let model: Model
  let layout: StoreLayout
  private(set) var tables: [Table] = []
  private(set) var joins: [Join] = []

  /// The indexes of the tables, by the names of their root entities.
  private var numbers: [String: Int] = [:]

  init(model: Model) {
    self.model = model
    layout = StoreLayout(model: model)
    var taken: Set<String> = []
    // Names given by authors are assigned first, so that names by the rule avoid them.
    for table in layout.tables {
      if let name = model.entity(named: table.rootEntityName)?.userInfo[TableModel.Key.table] {
        _ = TableNames.unique(name, among: &taken)
      }
    }
    for table in layout.tables {
      guard let root = model.entity(named: table.rootEntityName) else { continue }
      let name =
        root.userInfo[TableModel.Key.table]
        ?? TableNames.unique(TableNames.table(entity: root.name), among: &taken, separator: "_")
      numbers[root.name] = tables.count
      tables.append(self.table(table, root: root, name: name))
    }
    for join in layout.joinTables { addJoin(join, &taken) }
  }

  /// - Complexity: O(1): it is asked for each link.
  func table(ofRoot name: String) -> Table? { numbers[name].map { tables[$0] } }

  func root(of entity: String) -> String { layout.entity(named: entity)?.rootName ?? entity }

  // MARK: Tables

  private func table(_ stored: TableLayout, root: Entity, name: String) -> Table {
    var taken = namedColumns(root)
    var table = Table(
      name: name, storedName: stored.name, root: root, keyColumn: "", isKeyNamed: false,
      columns: [])
    if let key = root.userInfo[TableModel.Key.key] {
      table.keyColumn = key
      table.isKeyNamed = true
    }
    table.columns = attributes(stored, root, &taken)
    if !table.isKeyNamed {
      table.keyColumn =
        ["id", "row_id", "object_id"].first { taken.insert($0).inserted }
        ?? TableNames.unique("id", among: &taken, separator: "_")
    }
    if stored.hasSubentities {
      table.entityColumn =
        root.userInfo[TableModel.Key.entityColumn]
        ?? TableNames.unique("entity", among: &taken, separator: "_")
    }
    table.columns += toOnes(stored, root, &taken)
    return table
  }

  /// The column names in the user info of a root entity and its descendants.
  private func namedColumns(_ root: Entity) -> Set<String> {
    var taken: Set<String> = []
    if let key = root.userInfo[TableModel.Key.key] { _ = TableNames.unique(key, among: &taken) }
    for entity in model.entities where self.root(of: entity.name) == root.name {
      let named =
        entity.attributes.map(\.userInfo)
        + entity.relationships.filter { !$0.isToMany }.map(\.userInfo)
      for name in named.compactMap({ $0[TableModel.Key.column] }) {
        _ = TableNames.unique(name, among: &taken)
      }
    }
    return taken
  }

  /// The columns of attributes in the order of the model; Core Data sorts them by type and name.
  private func attributes(
    _ stored: TableLayout, _ root: Entity, _ taken: inout Set<String>
  ) -> [Column] {
    var columns: [Column] = []
    for column in stored.columns {
      if case .attribute(let owner, let name) = column.role,
        let entity = model.entity(named: owner),
        let attribute = model.attributes(of: entity).first(where: { $0.name == name })
      {
        let named = attribute.userInfo[TableModel.Key.column]
        columns.append(
          Column(
            name: named
              ?? TableNames.unique(
                TableNames.column(property: name), among: &taken, separator: "_"),
            storedName: column.name, role: .attribute(attribute), entityName: owner,
            isRequired: !attribute.isOptional && owner == root.name))
      }
    }
    let order = Dictionary(
      model.entities.flatMap { entity in
        entity.attributes.enumerated().map { ("\(entity.name).\($1.name)", $0) }
      }, uniquingKeysWith: { first, _ in first })
    func place(_ column: Column) -> (Int, Int) {
      (
        layout.entity(named: column.entityName)?.number ?? 0,
        order["\(column.entityName).\(column.property)"] ?? 0
      )
    }
    return columns.sorted { place($0) < place($1) }
  }

  /// The columns of to-one relationships, each with the column of its position in an order.
  private func toOnes(
    _ stored: TableLayout, _ root: Entity, _ taken: inout Set<String>
  ) -> [Column] {
    var columns: [Column] = []
    for column in stored.columns {
      guard case .foreignKey(let owner, let name) = column.role,
        let found = toOne(owner, name, column: column.name, root: root, &taken)
      else { continue }
      columns.append(found)
      let order = stored.columns.first {
        if case .order(owner, name) = $0.role { true } else { false }
      }
      guard let order else { continue }
      let base = found.name.hasSuffix("_id") ? String(found.name.dropLast(3)) : found.name
      columns.append(
        Column(
          name: TableNames.unique(base + "_position", among: &taken, separator: "_"),
          storedName: order.name, role: .position(of: column.name), entityName: owner,
          isRequired: false))
    }
    return columns
  }

  private func toOne(
    _ owner: String, _ name: String, column: String, root: Entity, _ taken: inout Set<String>
  ) -> Column? {
    guard let entity = model.entity(named: owner),
      let relationship = model.relationships(of: entity).first(where: { $0.name == name })
    else { return nil }
    // A to-many relationship without inverse has its key on the other side.
    let target = relationship.isToMany ? owner : relationship.destinationEntityName
    let base =
      relationship.isToMany
      ? TableNames.column(property: owner) + "_" + TableNames.column(property: name)
      : TableNames.column(property: name)
    var mirror: Mirror?
    if !relationship.isToMany, let inverse = inverse(of: relationship), !inverse.isToMany {
      guard isKept(relationship, of: owner, inverse) else { return nil }
      if relationship.destinationEntityName != owner || inverse.name != name,
        let stored = layout.entity(named: relationship.destinationEntityName),
        case .foreignKey(let other, _, _)? = stored.storage(ofRelationship: inverse.name)
      {
        mirror = Mirror(storedTable: stored.tableName, storedColumn: other)
      }
    }
    return Column(
      name: relationship.userInfo[TableModel.Key.column]
        ?? TableNames.unique(base + "_id", among: &taken, separator: "_"),
      storedName: column,
      role: .toOne(
        relationship, ownerEntity: owner, targetRoot: self.root(of: target), targetEntity: target),
      entityName: owner,
      isRequired: !relationship.isToMany && !relationship.isOptional && owner == root.name,
      mirror: mirror)
  }

  func inverse(of relationship: Relationship) -> Relationship? {
    guard let name = relationship.inverseName,
      let entity = model.entity(named: relationship.destinationEntityName)
    else { return nil }
    return model.relationships(of: entity).first { $0.name == name }
  }

  /// Whether this side of a one-to-one relationship has the column: the side that the model names,
  /// the side that is deleted with the other, the side that requires an object, or else the side
  /// whose entity comes later.
  private func isKept(_ relationship: Relationship, of owner: String, _ inverse: Relationship)
    -> Bool
  {
    let named = [relationship, inverse].map { $0.userInfo[TableModel.Key.column] != nil }
    if named[0] != named[1] { return named[0] }
    // The side that is deleted with the other one refers to it.
    let owns = [relationship, inverse].map { $0.deleteRule == .cascade }
    if owns[0] != owns[1] { return owns[1] }
    if relationship.isOptional != inverse.isOptional { return !relationship.isOptional }
    let numbers = [owner, relationship.destinationEntityName].map {
      layout.entity(named: $0)?.number ?? 0
    }
    return numbers[0] != numbers[1]
      ? numbers[0] > numbers[1] : relationship.name >= inverse.name
  }

  // MARK: Pairs

  private mutating func addJoin(_ stored: JoinTable, _ taken: inout Set<String>) {
    func relationship(_ end: JoinTable.End) -> Relationship? {
      model.entity(named: end.entityName).flatMap { entity in
        model.relationships(of: entity).first { $0.name == end.relationshipName }
      }
    }
    guard let forth = relationship(stored.owner), let back = relationship(stored.other) else {
      return
    }
    let named = forth.userInfo[TableModel.Key.table] ?? back.userInfo[TableModel.Key.table]
    let ownerTable = table(ofRoot: root(of: stored.owner.entityName))?.name ?? "objects"
    let name =
      named
      ?? TableNames.unique(
        "\(ownerTable)_\(TableNames.column(property: forth.name))", among: &taken, separator: "_")
    var columns: Set<String> = []
    func column(_ named: String?, _ relationship: String) -> String {
      if let named { return named }
      var words = TableNames.words(relationship)
      if let last = words.last { words[words.count - 1] = TableNames.singular(last) }
      return TableNames.unique(
        words.joined(separator: "_") + "_id", among: &columns, separator: "_")
    }
    // The owner's column is named after the owner's role on the other side.
    let own = column(
      forth.userInfo[TableModel.Key.column] ?? back.userInfo[TableModel.Key.otherColumn],
      stored.isSelfInverse ? stored.owner.entityName : back.name)
    let other = column(
      forth.userInfo[TableModel.Key.otherColumn] ?? back.userInfo[TableModel.Key.column],
      forth.name)
    func position(_ end: JoinTable.End, _ relationship: Relationship, _ column: String)
      -> (name: String, storedName: String)?
    {
      guard let order = end.orderColumn else { return nil }
      let base = column.hasSuffix("_id") ? String(column.dropLast(3)) : column
      return (
        relationship.userInfo[TableModel.Key.positionColumn]
          ?? TableNames.unique(base + "_position", among: &columns, separator: "_"), order
      )
    }
    joins.append(
      Join(
        name: name, stored: stored,
        owner: Join.End(
          column: own, storedColumn: stored.owner.column, root: root(of: stored.owner.entityName),
          position: position(stored.owner, forth, other)),
        other: Join.End(
          column: other, storedColumn: stored.other.column,
          root: root(of: stored.other.entityName),
          position: stored.isSelfInverse ? nil : position(stored.other, back, own))))
  }
}
