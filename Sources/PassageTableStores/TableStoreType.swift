internal import PassageDiagnostics
internal import PassageFiles
package import PassageModels
internal import PassageSQLite
package import PassageStores

/// A plain SQLite database with ordinary tables, as a store for reading and writing.
///
/// Its model is declared by its tables, or it is a model in JSON whose names are found in the
/// tables, by the rules of the page on plain databases or by user info.
package struct TableStoreType: StoreType, NamesEveryProperty {
  package init() {}

  package var name: String { "tables" }

  package var title: String { "a plain SQLite database" }

  package var holdsAppMetadata: Bool { false }

  /// Whether the file is an SQLite database with at least one table and without Core Data's tables.
  package func recognizes(path: String, firstBytes: [UInt8]) -> Bool {
    guard firstBytes.starts(with: DatabaseHeader.magic),
      let (connection, _) = try? StoreFile.connect(path)
    else { return false }
    // A store that lost its metadata is a damaged store, not a plain database with tables named Z….
    let count = try? connection.integer(
      """
      SELECT count(*) FROM sqlite_master WHERE type = 'table' AND rootpage > 0
      AND substr(lower(name), 1, 7) <> 'sqlite_'
      AND NOT EXISTS (SELECT 1 FROM sqlite_master
        WHERE type = 'table' AND upper(name) IN ('Z_METADATA', 'Z_PRIMARYKEY'))
      """)
    return (count ?? 0) > 0
  }

  /// The model that its tables declare, named after the file.
  ///
  /// - Throws: ``StoreError``.
  /// - Complexity: O(n) in the tables and columns, and in the rows of columns without a type.
  package func model(path: String) throws -> Model {
    let (connection, _) = try StoreFile.connect(path)
    let file = StoreUnit(path: path).name
    let dot = file.lastIndex(of: ".")
    let name = dot.map { $0 == file.startIndex ? file : String(file[..<$0]) } ?? file
    do {
      return try TableModel.read(TableSchema(connection), name: name, connection)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  package func open(path: String, as model: Model) throws -> any ForeignStore {
    let (connection, mode) = try StoreFile.connect(path)
    return try TableStore(path: path, mode: mode, connection: connection, model: model)
  }

  /// Whether no table and no column is left that the model has nothing for. Views and virtual tables are not part
  /// of a model.
  package func hasExactNames(of model: Model, path: String) throws -> Bool {
    let (connection, mode) = try StoreFile.connect(path)
    let store = try TableStore(path: path, mode: mode, connection: connection, model: model)
    return store.binding.unread.allSatisfy(\.isVirtual)
  }

  package func fingerprint(path: String) throws -> String { "\(try StoreFingerprint(path: path))" }

  package func write(
    _ objects: StoredObjects, to path: String, options: StoredObjects.WritingOptions
  ) throws {
    try TableWriter(objects: objects, path: path, options: options).write()
  }

  /// Whether both files have the same bytes, apart from the version number of the SQLite library
  /// that wrote them, and the first has no log or journal with changes.
  package func isUnchanged(path: String, from written: String) throws -> Bool {
    let unit = StoreUnit(path: path)
    let waiting = [unit.walPath, unit.journalPath].contains {
      ((try? FileSystem.status($0))?.bytes ?? 0) > 0
    }
    if waiting { return false }
    do {
      // https://www.sqlite.org/fileformat2.html, section 1.3: the version number is in bytes 96 to
      // 99.
      return try FileSystem.haveEqualContents(path, written, ignoring: 96..<100)
    } catch let failure as FileSystem.Failure {
      throw StoreError(failure, path: failure.path)
    }
  }
}
