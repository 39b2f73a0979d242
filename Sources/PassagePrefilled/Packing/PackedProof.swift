internal import PassageDiagnostics
internal import PassageEngine
internal import PassageInspection
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Compares a packed store with its source before it is put in place: the schema, every row of
/// every table, and every object of the model.
struct PackedProof {
  /// The number of objects by entity, in the order of entity numbers.
  let entities: [PackingReport.EntityCount]
  /// The number of rows in all tables.
  let rows: Int64

  /// - Parameters:
  ///   - source: the image that was packed.
  ///   - found: the model by which objects are counted.
  /// - Throws: `PAC-001` when the two differ.
  init(
    source: OpenStore, packed: StoreUnit, found: PackingModel, control: RunControl
  ) throws {
    let store = try StoreFile.open(path: packed.path)
    let damage = try store.fullCheck(limit: 3)
    guard damage.isEmpty else {
      throw Self.differs(packed, damage.joined(separator: "\n"))
    }
    let schema =
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'"
    guard
      try Self.digest(schema, source.connection, control)
        == Self.digest(schema, store.connection, control)
    else { throw Self.differs(packed, "the schemas differ") }
    var rows: Int64 = 0
    for table in try SchemaTable.all(of: source.connection) where !table.columns.isEmpty {
      let list = table.columns.map(\.quotedIdentifier).joined(separator: ", ")
      let query = "SELECT \(list) FROM main.\(table.name.quotedIdentifier) NOT INDEXED"
      let expected = try Self.digest(query, source.connection, control)
      guard try Self.digest(query, store.connection, control) == expected else {
        throw Self.differs(packed, "the rows of \(table.name) differ")
      }
      rows += expected.count
    }
    self.rows = rows
    entities = try Self.entities(source, store, found.model, packed, control)
  }

  private struct Digest: Equatable {
    var rows = RowDigest()
    var count: Int64 = 0
  }

  private static func digest(
    _ query: String, _ connection: Connection, _ control: RunControl
  ) throws -> Digest {
    let statement = try connection.prepare(query)
    var digest = Digest()
    while try statement.step() {
      digest.rows.add(statement)
      digest.count += 1
      if digest.count.isMultiple(of: 4_096) { try control.checkCancellation() }
    }
    return digest
  }

  private static func entities(
    _ source: OpenStore, _ store: OpenStore, _ model: Model, _ packed: StoreUnit,
    _ control: RunControl
  ) throws -> [PackingReport.EntityCount] {
    let report = try StoreComparison(
      expected: source, found: store, model: model, limit: 3,
      comparesFiles: false, isCancelled: { control.shouldStop }
    ).run()
    guard report.isEqual else {
      let names = report.differences.map { "\($0.name) \($0.key)" }
      throw differs(packed, names.joined(separator: ", "))
    }
    let counts = try store.objectCounts(store.layout(of: model))
    let expected = try source.objectCounts(source.layout(of: model))
    guard counts == expected else { throw differs(packed, "the numbers of objects differ") }
    return try store.layout(of: model).entities.map {
      PackingReport.EntityCount(name: $0.name, count: counts.byEntity[$0.name, default: 0])
    }
  }

  private static func differs(_ packed: StoreUnit, _ what: String) -> MigrationError {
    MigrationError(
      .verificationFailed,
      Diagnostic(
        "PAC-001", "the packed store differs from the original",
        at: SourceLocation(file: packed.path), reason: what,
        remedy: "check the disk, then run the same command again"))
  }
}
