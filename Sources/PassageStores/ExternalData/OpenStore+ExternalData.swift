internal import PassageFiles
package import PassageModels
internal import PassageSQLite
internal import PassageValues

extension OpenStore {
  /// Compares every reference to an external file with the files of a folder.
  ///
  /// References and files are joined in a temporary database on disk, so memory does not grow with
  /// them.
  ///
  /// - Parameters:
  ///   - model: the store's model.
  ///   - folder: the folder of the files; `nil` for the store's own.
  ///   - isMissing: whether the folder surely does not exist.
  ///   - limit: how many missing references, references that name none, and orphans are listed at most; all are
  ///     counted.
  ///   - isCancelled: called from time to time; if it returns `true`, the report is incomplete and
  ///     must not be used.
  /// - Returns: `nil` if the model has no such attribute and the folder does not exist.
  /// - Complexity: O(n log n) in the rows of the tables with such attributes, and in the files.
  package func externalData(
    of model: Model, in folder: String? = nil, isMissing: Bool = false, limit: Int = 20,
    isCancelled: () -> Bool = { false }
  ) throws(StoreError) -> ExternalDataReport? {
    let folder = folder ?? unit.externalDataPath
    let attributes = ExternalAttribute.all(of: model, in: try layout(of: model))
    guard !attributes.isEmpty || !isMissing && FileSystem().isDirectory(folder) else { return nil }
    return try reading { connection in
      let index = try ExternalDataIndex()
      var report = ExternalDataReport()
      try index.addFiles(of: folder)
      for (number, attribute) in attributes.enumerated() {
        if isCancelled() { break }
        try index.addReferences(
          of: attribute, number: number, from: connection, to: &report, limit: limit,
          isCancelled: isCancelled)
      }
      try index.finish(&report, attributes: attributes, limit: limit)
      return report
    }
  }
}

/// The references of a store and the files of its folder, in a temporary database.
private struct ExternalDataIndex {
  private let database: Connection

  init() throws {
    // An empty path: SQLite creates a temporary file and removes it.
    database = try Connection(path: "", mode: .create)
    try database.execute(
      """
      CREATE TABLE reference (
        name TEXT, attribute INTEGER, key INTEGER,
        PRIMARY KEY (name, attribute, key)) WITHOUT ROWID;
      CREATE TABLE file (name TEXT PRIMARY KEY, bytes INTEGER) WITHOUT ROWID;
      BEGIN
      """)
  }

  func addFiles(of folder: String) throws {
    // Neither the folder nor its parent may be a link: the files would not travel with the store.
    for path in [StoreUnit(path: folder).folder, folder] {
      guard try FileSystem.linkStatusIfThere(path)?.kind == .directory else { return }
    }
    let insert = try database.prepare("INSERT OR IGNORE INTO file (name, bytes) VALUES (?, ?)")
    try FileSystem.forEachName(in: folder) { name in
      let found = try FileSystem.linkStatusIfThere("\(folder)/\(name)")
      guard let status = found, status.kind == .file else { return }
      try insert.bind([.text(name), .integer(status.bytes)])
      try insert.run()
    }
  }

  func addReferences(
    of attribute: ExternalAttribute, number: Int, from connection: Connection,
    to report: inout ExternalDataReport, limit: Int, isCancelled: () -> Bool
  ) throws {
    let cell = "o.\(attribute.column.quotedIdentifier)"
    // One value at a time is in memory, and only its beginning is read.
    let select = try connection.prepare(
      "SELECT o.Z_PK, length(\(cell)), substr(\(cell), 1, 39) "
        + "FROM \(attribute.table.quotedIdentifier) AS o NOT INDEXED "
        + "WHERE \(attribute.entity.isKind("o")) AND typeof(\(cell)) = 'blob'")
    let insert = try database.prepare(
      "INSERT OR IGNORE INTO reference (name, attribute, key) VALUES (?, ?, ?)")
    var rows = 0
    while try select.step() {
      rows += 1
      if rows.isMultiple(of: 1_024), isCancelled() { return }
      let bytes = select.value(at: 2).bytes ?? []
      switch ExternalValue(prefix: bytes, byteCount: Int(select.integer(at: 1))) {
      case .inline: break
      case .other: report.unknown += bytes.isEmpty ? 0 : 1
      case .malformedReference:
        report.references += 1
        report.malformed += 1
        report.missingByAttribute["\(attribute.entityName).\(attribute.name)", default: 0] += 1
        guard report.firstMissing.count < limit else { continue }
        report.firstMissing.append(
          ExternalDataReport.Reference(
            entity: attribute.entityName, key: select.integer(at: 0), attribute: attribute.name))
      case .file(let name):
        report.references += 1
        try insert.bind([.text(name), .integer(Int64(number)), .integer(select.integer(at: 0))])
        try insert.run()
      }
    }
  }

  func finish(
    _ report: inout ExternalDataReport, attributes: [ExternalAttribute], limit: Int
  ) throws {
    report.bytes = try database.integer("SELECT sum(bytes) FROM file")
    report.files = try database.integer(
      "SELECT count(*) FROM file WHERE name IN (SELECT name FROM reference)")
    let missing = "FROM reference WHERE name NOT IN (SELECT name FROM file)"
    report.missing = try database.integer("SELECT count(*) \(missing)")
    for row in try database.rows("SELECT attribute, count(*) \(missing) GROUP BY 1") {
      guard let number = row[0].integer, attributes.indices.contains(Int(number)) else { continue }
      let attribute = attributes[Int(number)]
      report.missingByAttribute["\(attribute.entityName).\(attribute.name)", default: 0] +=
        row[1].integer ?? 0
    }
    for row in try database.rows(
      "SELECT attribute, key, name \(missing) ORDER BY 1, 2 LIMIT \(limit)")
    {
      guard let number = row[0].integer, attributes.indices.contains(Int(number)) else { continue }
      let attribute = attributes[Int(number)]
      report.firstMissing.append(
        ExternalDataReport.Reference(
          entity: attribute.entityName, key: row[1].integer ?? 0, attribute: attribute.name,
          file: row[2].string))
    }
    let orphans = "FROM file WHERE name NOT IN (SELECT name FROM reference)"
    report.orphans = try database.integer("SELECT count(*) \(orphans)")
    report.firstOrphans = try database.rows("SELECT name \(orphans) ORDER BY 1 LIMIT \(limit)")
      .compactMap { $0[0].string }
  }
}
