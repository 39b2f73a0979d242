internal import Foundation
internal import Passage
internal import PassageTesting

/// A store to be damaged, with the two models of its migration as files.
struct DamageSubject: Sendable {
  let path: String
  let contents: Data
  let pageBytes: Int
  let hasLog: Bool
  let destination: Model
  /// An entity of the source model that has objects of its own.
  let entityName: String
  /// The tables with their columns, in the order of the schema.
  let tables: [Table]
  /// The files of the two models.
  let modelPaths: [String]
  private let models: TemporaryDirectory

  struct Table: Sendable {
    var name: String
    var columns: [String]
  }

  /// The size of the file.
  var bytes: Int { contents.count }

  /// - Returns: `nil` for a store without a model here, and for one that nothing newer can be made of.
  init?(store: String, folder: CorpusFolder, pool: ModelPool) throws {
    path = folder.location(store)
    let hashes = try StoreCopy.read(path) { try StoreRecord(path: $0).hashes }
    guard let entry = pool.models(hashes: hashes, near: store).first else { return nil }
    let versions = pool.versions(of: entry.item).map(\.model)
    guard let source = versions.last(where: { $0.versionHashes == hashes }),
      let destination = versions.last(where: {
        $0.versionHashes != hashes && (try? InferredMapping.infer(from: source, to: $0)) != nil
      })
    else { return nil }
    self.destination = destination
    entityName = source.entities.first { !$0.isAbstract }?.name ?? ""
    tables = try StoreCopy.read(path, Self.tables)
    contents = try Data(contentsOf: URL(fileURLWithPath: path))
    // https://www.sqlite.org/fileformat.html: bytes 16 and 17; 1 stands for 65536.
    let size = Int(contents[16]) << 8 | Int(contents[17])
    pageBytes = size == 1 ? 65_536 : size
    hasLog = FileManager.default.fileExists(atPath: "\(path)-wal")
    let models = try TemporaryDirectory()
    modelPaths = try [source, destination].enumerated().map { index, model in
      try models.write(Array(ModelDocument.encode(model).utf8), to: "\(index + 1).json")
    }
    self.models = models
  }

  private static func tables(path: String) throws -> [Table] {
    let rows = try StoreQuery(path: path).rows(
      "SELECT m.name, x.name FROM sqlite_master AS m JOIN pragma_table_xinfo(m.name) AS x "
        + "WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.rowid, x.cid")
    var tables: [Table] = []
    for row in rows {
      guard let name = row[0].string, let column = row[1].string else { continue }
      if tables.last?.name != name { tables.append(Table(name: name, columns: [])) }
      tables[tables.count - 1].columns.append(column)
    }
    return tables
  }
}
