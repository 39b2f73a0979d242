internal import PassageFiles
internal import PassageModels
internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Copies the rows of a plain database into a staged store page by page, where SQL would copy every
/// cell as it is: a table at a time.
///
/// A table is left to SQL when one of its columns is converted, when a key is replaced, or when a row
/// holds anything but what is taken here. So every row that is copied is valid.
struct TablePages {
  /// The rows, and the bytes, that are copied between two questions whether to stop.
  private static let batch = (rows: 10_000, bytes: 1 << 22)

  let reader: TableReader

  private var store: StagedStore { reader.store }

  /// A table to copy.
  private struct Job {
    let number: Int
    let sourceRoot: UInt32
    let source: TableColumns
    let root: UInt32
    let destination: TableColumns
    let program: CopyProgram
  }

  /// - Returns: the numbers of the tables that were copied, in full.
  /// - Throws: `StoreError`; ``StagedPagesDiffer`` when the pages are not as they were written.
  func copy() throws -> Set<Int> {
    var copied: Set<Int> = []
    try store.writingPages { path, begin in
      let jobs = try reader.binding.tables.compactMap(job)
      // A link may lead to the database: its log is beside the file itself.
      guard !jobs.isEmpty, let source = reader.connection.filePath(TableReader.schema),
        let file = try? PositionalFile(source, mode: .reading)
      else { return nil }
      let pages = try? PageReader(file, logPath: source + "-wal")
      try begin()
      // The first read begins the transaction of the source.
      _ = try reader.connection.integer("SELECT count(*) FROM \(TableReader.schema).sqlite_master")
      guard let pages, pages.loggedPageCount == 0, (try? pages.isCurrent()) == true,
        try !reader.connection.hasMoved(TableReader.schema)
      else { return file }
      for job in jobs where try copy(job, from: pages, to: path) { copied.insert(job.number) }
      return file
    }
    return copied
  }

  private func checkCancellation() throws {
    if StatementWatch.current?.isAsked() == true {
      throw StoreError(.interrupted, path: reader.path)
    }
  }

  /// - Returns: whether all rows were copied; if not, none was.
  private func copy(_ job: Job, from pages: PageReader, to path: String) throws -> Bool {
    let file = try PageFileWriter(path: path, keepsPages: true)
    let writer = TableTreeWriter(file, root: job.root)
    do {
      let sweep = TableSweep(pages, root: job.sourceRoot, columnCount: job.source.affinities.count)
      let copier = try RowCopier(
        sweep, writer, source: job.source, entityColumn: nil, destination: job.destination,
        programs: [job.program])
      while try copier.run(rows: Self.batch.rows, bytes: Self.batch.bytes) != .end {
        try checkCancellation()
      }
      try writer.finish()
    } catch is ConvertedValue {
      try file.discard()
      return false
    } catch is PageDamage {
      // SQLite says what is wrong with its pages.
      try file.discard()
      return false
    }
    try file.finish()
    guard try isWritten(writer.digest, root: job.root, in: path) else { throw StagedPagesDiffer() }
    return true
  }

  /// Whether the pages of a table, read again, are those that were written.
  private func isWritten(_ digest: PageDigest, root: UInt32, in path: String) throws -> Bool {
    do {
      let pages = try PageReader(path: path)
      let sweeps = SharedSweeps(pages, root: root)
      let (sweep, ranges) = (sweeps.makeSweep(), sweeps.makeRanges())
      var found: PageDigest?
      while let range = try ranges.next() {
        try checkCancellation()
        var sum = found ?? PageDigest()
        sum.add(try sweep.digest(of: range))
        found = sum
      }
      // A table of one leaf has no ranges.
      return try found ?? TableSweep(pages, root: root, columnCount: 1).digest() == digest
    } catch is PageDamage {
      return false
    } catch is Unsoundness {
      return false
    }
  }

  // MARK: What is copied

  /// What to do for a table; `nil` when it is left to SQL.
  private func job(_ table: TableBinding.Table) throws -> Job? {
    let entities = reader.entities(of: table)
    guard table.entityColumn == nil, entities.count == 1, let entity = entities.first,
      table.table.computedColumns.isEmpty, keepsKeys(table),
      let cells = cells(of: entity, in: table),
      let sourceRoot = try rootPage(of: table.table.name, in: TableReader.schema),
      let root = try rootPage(of: entity.tableName, in: "main")
    else { return nil }
    let destination = try columns(of: entity.tableName)
    func position(_ name: String) -> Int? {
      destination.names.firstIndex { SQLName.areSame($0, name) }
    }
    var program = CopyProgram(entityNumber: nil, keyOffset: 0, cells: [])
    let constants: [(String, CopyProgram.Origin)] = [
      ("Z_ENT", .constant(.integer(Int64(entity.number)))), ("Z_OPT", .constant(.integer(1))),
    ]
    for (name, origin) in constants + cells {
      guard let column = position(name) else { return nil }
      program.cells.append(CopyProgram.Cell(column: column, origin: origin))
    }
    return Job(
      number: table.number, sourceRoot: sourceRoot,
      source: TableColumns(
        affinities: table.table.columns.map { Affinity(declaredType: $0.type) },
        keyColumn: table.table.rowIdentifierColumn.flatMap { name in
          table.table.columns.firstIndex { SQLName.areSame($0.name, name) }
        }
      ),
      root: root,
      destination: TableColumns(affinities: destination.affinities, keyColumn: position("Z_PK")),
      program: program)
  }

  /// Whether the keys of the rows are their row ids, and an object may have each of them.
  private func keepsKeys(_ table: TableBinding.Table) -> Bool {
    switch table.key {
    case .column(_, isUnique: true), .rowIdentifier: break
    case .column, .counted, .placed: return false
    }
    let key = reader.key(table)
    // Each is one search of the tree. What is wrong with the tree is told by what reads all of it.
    let from = "FROM \(reader.source(table)) AS t"
    guard let smallest = try? reader.connection.rows("SELECT min(\(key)) \(from)"),
      let largest = try? reader.connection.rows("SELECT max(\(key)) \(from)")
    else { return false }
    return smallest[0][0].integer ?? 1 > 0 && largest[0][0].integer ?? 1 < .max
  }

  /// The cells of a table's rows by the names of their columns in the staged store; `nil` when one of
  /// them is not copied as it is.
  private func cells(
    of entity: EntityLayout, in table: TableBinding.Table
  ) -> [(String, CopyProgram.Origin)]? {
    var cells: [(String, CopyProgram.Origin)] = []
    let family = Set(reader.ancestry(of: entity.name))
    for (planned, name) in table.columns
    where family.contains(planned.entityName) || reader.isBack(planned) {
      guard let types = types(of: planned, name, in: table),
        let column = table.table.columns.firstIndex(where: { SQLName.areSame($0.name, name) })
      else { return nil }
      cells.append((planned.storedName, .taken(column, types)))
    }
    return cells
  }

  /// The stored types of a column that are copied as they are; `nil` when none is.
  private func types(
    of planned: TablePlan.Column, _ name: String, in table: TableBinding.Table
  ) -> StoredTypes? {
    var types: StoredTypes
    let isRequired: Bool
    switch planned.role {
    case .attribute(let attribute):
      guard let stored = TableCell.typesCopied(of: attribute) else { return nil }
      types = stored
      isRequired = !attribute.isOptional
    case .toOne(let relationship, _, let root, _):
      // A column of reals stores whole numbers as integers; SQL does not take them for keys.
      guard table.listedColumns[planned.storedName] == nil,
        table.table.column(named: name).map({ Affinity(declaredType: $0.type) }) != .real,
        holdsKey(planned, name, to: reader.binding.table(ofRoot: root), in: table)
      else {
        return nil
      }
      types = .integers
      isRequired = !relationship.isToMany && !relationship.isOptional
    case .position: return nil
    }
    // The key's own column is never NULL, but so it is stored.
    if let key = table.table.rowIdentifierColumn, SQLName.areSame(name, key) {
      return types.isSuperset(of: .integers) ? types : nil
    }
    guard !isRequired else { return types }
    types.insert(.null)
    // SQLite takes the default value for a column that is not in the record.
    if table.table.column(named: name)?.defaultText == nil { types.insert(.absent) }
    return types
  }

  /// Whether a column holds the keys of a parent's rows, as they are in the staged store.
  private func holdsKey(
    _ planned: TablePlan.Column, _ name: String, to parent: TableBinding.Table?,
    in table: TableBinding.Table
  ) -> Bool {
    guard let parent else { return true }
    if let key = table.foreignKey(of: planned, name),
      reader.lookedUpColumns(key, in: parent) != nil
    {
      return false
    }
    return keepsKeys(parent)
  }

  // MARK: The schema

  private func rootPage(of table: String, in schema: String) throws -> UInt32? {
    try reader.connection.value(
      "SELECT rootpage FROM \(schema).sqlite_master WHERE type = 'table' AND name = ?",
      [.text(table)]
    )?.integer.flatMap { UInt32(exactly: $0) }
  }

  /// The columns of a table of the staged store, in the order of its records.
  private func columns(
    of table: String
  ) throws(SQLiteError) -> (names: [String], affinities: [Affinity]) {
    let rows = try reader.connection.rows(
      "SELECT name, type FROM pragma_table_info(?, 'main') ORDER BY cid", [.text(table)])
    return (
      rows.map { $0[0].string ?? "" }, rows.map { Affinity(declaredType: $0[1].string ?? "") }
    )
  }
}
