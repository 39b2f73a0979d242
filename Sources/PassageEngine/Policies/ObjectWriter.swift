internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Writes and reads the objects of one destination entity for a policy.
final class ObjectWriter {
  let shape: DestinationShape
  let layout: EntityLayout
  let tableName: String
  private let connection: Connection
  private let sink: any RowSink
  private let columns: [String]
  private let requiredPositions: [Int]
  /// Objects appended since the last call of ``takeCount()``.
  private var appendedCount: Int64 = 0
  private var select: Statement?
  private var change: Statement?

  /// - Parameter makeSink: makes the door to the entity's table, for constants and columns.
  init(
    shape: DestinationShape, layout: EntityLayout, connection: Connection,
    makeSink: PolicyObjects.MakeSink
  ) throws {
    self.shape = shape
    self.layout = layout
    tableName = layout.tableName
    self.connection = connection
    columns = shape.attributes.map { layout.columnName(ofAttribute: $0.name) ?? "" }
    sink = try makeSink(
      layout.tableName, [("Z_ENT", .integer(Int64(layout.number))), ("Z_OPT", 1)], columns)
    requiredPositions = shape.attributes.indices.filter { !shape.attributes[$0].isOptional }
  }

  func append(_ object: DestinationObject, missing: MissingValues) throws {
    note(object, missing)
    try sink.append(key: object.key) { batch in
      for position in columns.indices { batch.append(object.value(at: position)) }
    }
    appendedCount += 1
  }

  /// Writes buffered rows to the table. Called before the table is read and before a batch is
  /// committed.
  func flush() throws { try sink.mark() }

  /// The objects appended since the last call.
  func takeCount() -> Int64 {
    defer { appendedCount = 0 }
    return appendedCount
  }

  func update(_ object: DestinationObject, missing: MissingValues) throws {
    note(object, missing)
    guard !columns.isEmpty else { return }
    let statement: Statement
    if let change {
      statement = change
    } else {
      statement = try RowPatch(connection: connection)
        .oneByOne(columns, in: layout.tableName)
      change = statement
    }
    try statement.bind(
      object.values + [.integer(object.key), .integer(Int64(layout.number))])
    try statement.run()
    guard connection.changes == 1 else {
      throw PolicyMistake("“\(layout.name)” \(object.key) was not made in this pass")
    }
  }

  func read(key: Int64) throws -> DestinationObject? {
    let statement: Statement
    if let select {
      statement = select
    } else {
      statement = try connection.prepare(query("Z_PK = ?2"))
      select = statement
    }
    try statement.bind([.integer(Int64(layout.number)), .integer(key)])
    defer { statement.reset() }
    return try statement.step() ? object(statement) : nil
  }

  /// Calls `body` for each object up to the last one that is there now. Objects that it makes get keys after
  /// that, so that they are not visited.
  func forEach(_ body: (DestinationObject) throws -> Void) throws {
    let last = try connection.integer(
      "SELECT ifnull(max(Z_PK), \(Int64.min)) FROM main.\(layout.tableName.quotedIdentifier)")
    try forEach(in: Int64.min...last, body)
  }

  /// Calls `body` for each object, in ascending order of keys.
  func forEach(in keys: ClosedRange<Int64>, _ body: (DestinationObject) throws -> Void) throws {
    let statement = try connection.prepare(query("Z_PK BETWEEN ?2 AND ?3") + " ORDER BY Z_PK")
    try statement.bind([
      .integer(Int64(layout.number)), .integer(keys.lowerBound), .integer(keys.upperBound),
    ])
    while try statement.step() { try body(object(statement)) }
  }

  private func query(_ condition: String) -> String {
    let list = (["Z_PK"] + columns).map(\.quotedIdentifier).joined(separator: ", ")
    return "SELECT \(list) FROM main.\(layout.tableName.quotedIdentifier) NOT INDEXED "
      + "WHERE Z_ENT = ?1 AND \(condition)"
  }

  private func object(_ row: Statement) -> DestinationObject {
    DestinationObject(
      shape: shape, key: row.integer(at: 0),
      values: shape.attributes.indices.map { row.value(at: $0 + 1) })
  }

  private func note(_ object: DestinationObject, _ missing: MissingValues) {
    for position in requiredPositions where object.value(at: position).isNull {
      missing.note(entity: layout.name, attribute: shape.attributes[position].name)
    }
  }
}
