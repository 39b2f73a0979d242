import PassageEngine
import PassageExpressions
import PassageModels
import PassageQueries
import PassageSQLite
import PassageStores
import PassageValues
import TestSupport

/// A store of a model, in memory, with random objects and links.
struct ObjectGraph {
  let model: Model
  let layout: StoreLayout
  let connection: Connection

  init(model: Model, objects count: Int, random: inout RandomPredicate) throws {
    self.model = model
    layout = StoreLayout(model: model)
    connection = try Connection(path: "", mode: .create)
    for statement in layout.tableStatements + layout.indexStatements {
      try connection.execute(statement)
    }
    try Library.registerFunctions(on: connection)
    for entity in model.entities { try insert(count, entity, &random) }
  }

  private func insert(
    _ count: Int, _ entity: Entity, _ random: inout RandomPredicate
  ) throws {
    guard let own = layout.entity(named: entity.name) else { return }
    for number in 1...count {
      let key = Int64(own.number * 1_000 + number)
      var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
      var values: [Value] = [.integer(key), .integer(Int64(own.number)), 1]
      for attribute in model.attributes(of: entity) {
        guard let column = own.columnName(ofAttribute: attribute.name) else { continue }
        columns.append(column)
        values.append(random.cell(of: attribute.type))
      }
      for relationship in model.relationships(of: entity) {
        try link(key, relationship, own, count, &columns, &values, &random)
      }
      let names = columns.map(\.quotedIdentifier).joined(separator: ", ")
      let marks = columns.map { _ in "?" }.joined(separator: ", ")
      try connection.execute(
        "INSERT INTO \(own.tableName.quotedIdentifier) (\(names)) VALUES (\(marks))", values)
    }
  }

  private func link(
    _ key: Int64, _ relationship: Relationship, _ own: EntityLayout, _ count: Int,
    _ columns: inout [String], _ values: inout [Value], _ random: inout RandomPredicate
  ) throws {
    func target() -> Int64? {
      guard let end = layout.entity(named: relationship.destinationEntityName) else { return nil }
      // Now and then one that is not there.
      return Int64(end.number * 1_000 + Int.random(in: 1...(count + 1), using: &random.generator))
    }
    switch own.storage(ofRelationship: relationship.name) {
    case .foreignKey(let column, _, let order)?:
      columns.append(column)
      values.append(
        random.generator.chance(20) ? .null : target().map { .integer($0) } ?? .null)
      if let order {
        columns.append(order)
        values.append(.integer(Int64.random(in: 0...3, using: &random.generator)))
      }
    case .joinTable(let joinTable, let this, let other, let order)?:
      guard joinTable.owner.column == this else { return }
      var names = [this, other]
      if let order { names.append(order) }
      for _ in 0..<Int.random(in: 0...3, using: &random.generator) {
        guard let target = target() else { continue }
        let cells: [Value] = [.integer(key), .integer(target)]
        let place = Value.integer(Int64.random(in: 0...3, using: &random.generator))
        try connection.execute(
          "INSERT OR IGNORE INTO \(joinTable.name.quotedIdentifier) "
            + "(\(names.map(\.quotedIdentifier).joined(separator: ", "))) "
            + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))",
          order == nil ? cells : cells + [place])
      }
    default: break
    }
  }

  // MARK: Asking

  func query(_ entity: Entity) throws -> SourceQuery {
    guard let entityLayout = layout.entity(named: entity.name) else { throw NoSuchEntity() }
    return SourceQuery(
      model: model, layout: layout, entity: entity, entityLayout: entityLayout, schema: "")
  }

  /// The keys of the objects for which a predicate holds, in SQL; what SQL cannot say is `nil`.
  func keysInSQL(
    _ bound: BoundPredicate, _ entity: Entity, form: SQLTranslator.Form
  ) throws -> [Int64]? {
    var query = try query(entity)
    let tables = query
    guard
      case .sql(let fragment) = SQLTranslator.predicate(
        bound, form: form, now: Library.now, column: { query.column($0) },
        related: { tables.related($0, alias: $1) })
    else { return nil }
    let statement = try connection.prepare(
      "SELECT s.Z_PK \(query.fromClause) WHERE \(query.entityCondition) AND (\(fragment.sql)) "
        + "ORDER BY s.Z_PK")
    try statement.bind(fragment.bindings)
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.integer(at: 0)) }
    return keys
  }

  /// The keys of the objects for which a predicate holds, in memory.
  func keysInMemory(_ bound: BoundPredicate, _ entity: Entity) throws -> [Int64] {
    var query = try query(entity)
    let names = bound.keyPaths.map(\.name)
    let shape = ObjectShape(entityName: entity.name, names: names)
    let columns = ["s.Z_PK"] + bound.keyPaths.map { query.column($0) }
    let statement = try connection.prepare(
      "SELECT \(columns.joined(separator: ", ")) \(query.fromClause) "
        + "WHERE \(query.entityCondition) ORDER BY s.Z_PK")
    let compiled = try CompiledPredicate(bound, slot: { shape.position(of: $0.name) ?? -1 })
    var context = Library.context
    context.relatedObjects = try RelatedObjectCursors(
      bound.relatedObjects, model: model, layout: layout, connection: connection)
    var keys: [Int64] = []
    while try statement.step() {
      let row = statement.values()
      let object = SourceObject(
        shape: shape, key: row[0].integer ?? 0, values: Array(row.dropFirst()))
      if try compiled.evaluate(object, in: context) { keys.append(object.key) }
    }
    return keys
  }

  struct NoSuchEntity: Error {}
}

extension RandomPredicate {
  /// A cell of a column of this type; now and then one that does not belong there.
  mutating func cell(of type: AttributeType) -> Value {
    switch type {
    case .string, .uri: textCell()
    case .uuid, .binary, .transformable: blobCell()
    default: numberCell()
    }
  }
}
