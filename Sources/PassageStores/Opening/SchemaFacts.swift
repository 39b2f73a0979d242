internal import PassagePlatform
package import PassageSQLite
internal import PassageValues
internal import Synchronization

/// What the schema of a store says. Stores of one version have the same schema, so what SQLite has
/// told about one is kept for the next.
package final class SchemaFacts: Sendable {
  /// A column of a table, hidden ones included.
  package struct Column: Sendable, Hashable {
    package var name: String
    /// The declared type.
    package var type: String
    /// The place in the primary key, from 1; 0 for no part of it.
    package var keyPlace: Int64
    /// Whether it is the first column of a primary key that has an index of its own, and is no name of the row id
    /// then.
    package var hasKeyIndex: Bool
    package var hasDefault: Bool
    /// Whether it is generated, or hidden in a virtual table.
    package var isHidden: Bool

    package init(
      name: String, type: String, keyPlace: Int64, hasKeyIndex: Bool, hasDefault: Bool,
      isHidden: Bool
    ) {
      (self.name, self.type, self.keyPlace) = (name, type, keyPlace)
      (self.hasKeyIndex, self.hasDefault, self.isHidden) = (hasKeyIndex, hasDefault, isHidden)
    }

    /// The condition in SQL for ``hasKeyIndex``.
    ///
    /// INTEGER PRIMARY KEY is a name of the row id, and INTEGER PRIMARY KEY DESC is not
    /// (https://www.sqlite.org/lang_createtable.html#rowid): that key has an index.
    ///
    /// SQLite computes both sides of `AND` in what a query gives. `CASE` asks for the indexes once for each
    /// table, and not for each column, of which a table may have as many as indexes.
    ///
    /// - Parameters:
    ///   - place: the place in the key, in SQL.
    ///   - table: the name of the table, in SQL; `schema`: that of its database.
    package static func keyIndexCondition(
      place: String, table: String, schema: String
    ) -> String {
      "CASE WHEN \(place) = 1 THEN EXISTS "
        + "(SELECT 1 FROM pragma_index_list(\(table), \(schema)) WHERE origin = 'pk') ELSE 0 END"
    }
  }

  /// An ordinary table.
  package struct Table: Sendable {
    package var name: String
    package var rootPage: Int64
    package var isWithoutRowID: Bool
    package var columns: [Column]
  }

  /// An entry of `sqlite_master`.
  package struct Entry: Sendable {
    package var type: String
    package var name: String
    /// The table of an index, a trigger or itself.
    package var tableName: String
    package var rootPage: Int64
  }

  /// The entries, in their order.
  package let entries: [Entry]
  /// The ordinary tables, in their order.
  package let tables: [Table]
  /// The same for finding columns by name.
  package let schema: StoreSchema
  /// What the schema makes SQLite compute.
  package let code: SchemaCode

  /// The declared types of the columns of ordinary tables, by both names.
  private let declaredTypes: [SQLName: [SQLName: String]]

  /// Whether a table may declare a collation other than the usual one: Core Data's declare none.
  package let hasCollations: Bool

  private init(_ rows: [[Value]], _ connection: Connection) throws(SQLiteError) {
    entries = Self.entries(rows)
    hasCollations = rows.contains { row in
      row[0].string == "table" && row[4].string.map(Self.declaresCollation) == true
    }
    code = try SchemaCode(connection)
    tables = try Self.readTables(connection)
    schema = StoreSchema(
      tables: tables.map { table in
        StoreSchema.Table(
          name: table.name, columns: table.columns.map(\.name), keyColumn: table.keyColumn)
      })
    declaredTypes = Dictionary(
      tables.map { table in
        (
          SQLName(table.name),
          Dictionary(
            table.columns.map { (SQLName($0.name), $0.type) },
            uniquingKeysWith: { first, _ in first })
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The declared type of a column of an ordinary table; the case of ASCII does not matter.
  ///
  /// - Complexity: O(1).
  package func declaredType(ofColumn column: String, inTable table: String) -> String? {
    declaredTypes[SQLName(table)]?[SQLName(column)]
  }

  /// The ordinary table of this name, spelled like this.
  package func table(_ name: String) -> Table? { tables.first { $0.name.hasBytes(of: name) } }

  /// Whether there is an ordinary table of this name, spelled like this.
  package func hasTable(_ name: String) -> Bool { Self.hasTable(name, in: entries) }

  static func hasTable(_ name: String, in entries: [Entry]) -> Bool {
    entries.contains {
      $0.type == "table" && $0.rootPage > 0 && $0.name.hasBytes(of: name)
    }
  }

  /// Whether a table has an index.
  package var hasIndexes: Bool { entries.contains { $0.type == "index" } }

  /// Whether there is an ordinary table of this name, in any case of ASCII.
  package func hasTable(caseInsensitive name: String) -> Bool {
    entries.contains {
      $0.type == "table" && $0.rootPage > 0 && SQLName.areSame($0.name, name)
    }
  }

  /// Whether the text of a table has the word COLLATE, not followed by BINARY. In a text or a name it counts
  /// too, which does no harm.
  private static func declaresCollation(_ sql: String) -> Bool {
    let words = sql.utf8.split { byte in
      !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF) && byte < 0x80
        && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) && byte != UInt8(ascii: "_")
    }
    func isWord(_ word: Substring.UTF8View, _ wanted: String) -> Bool {
      word.count == wanted.utf8.count
        && word.elementsEqual(wanted.utf8) { $0.uppercasedInASCII == $1 }
    }
    return words.indices.contains { index in
      isWord(words[index], "COLLATE")
        && !(index + 1 < words.count && isWord(words[index + 1], "BINARY"))
    }
  }

  // MARK: Reading

  /// What is wrong with a schema in which two entries name the same page.
  static let sharedRoot = "two tables or indexes of its schema are in the same pages"

  /// The facts about a store's schema.
  ///
  /// - Parameters:
  ///   - schemas: where the facts about schemas seen before are, and these are kept.
  ///   - refuse: called with the entries before anything else is asked.
  /// - Complexity: O(n) in the entries; in the columns too, when no store had this schema before.
  package static func read(
    _ connection: Connection, from schemas: KnownSchemas = .shared,
    refuse: ([Entry]) throws -> Void
  ) throws -> SchemaFacts {
    let rows = try connection.rows(
      "SELECT type, name, tbl_name, rootpage, sql FROM main.sqlite_master ORDER BY rowid")
    if let known = schemas.facts(rows) { return known }
    try refuse(entries(rows))
    let facts = try SchemaFacts(rows, connection)
    schemas.keep(facts, rows)
    return facts
  }

  /// The facts about a schema that was read before.
  ///
  /// - Parameter rows: of `sqlite_master`, as ``read(_:from:refuse:)`` asks for them.
  static func known(_ rows: [[Value]], from schemas: KnownSchemas = .shared) -> SchemaFacts? {
    schemas.facts(rows)
  }

  private static func entries(_ rows: [[Value]]) -> [Entry] {
    rows.compactMap { row in
      guard let type = row[0].string, let name = row[1].string else { return nil }
      return Entry(
        type: type, name: name, tableName: row[2].string ?? "", rootPage: row[3].integer ?? 0)
    }
  }

  private static func readTables(_ connection: Connection) throws(SQLiteError) -> [Table] {
    // table_xinfo includes generated columns; rootpage is 0 for virtual tables.
    let statement = try connection.prepare(
      """
      SELECT m.name, x.name, x.type, x.pk, x.dflt_value IS NOT NULL, x.hidden, m.rootpage,
        m.sql LIKE '%WITHOUT%ROWID%',
        \(Column.keyIndexCondition(place: "x.pk", table: "m.name", schema: "'main'"))
      FROM main.sqlite_master AS m JOIN pragma_table_xinfo(m.name, 'main') AS x
      WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.rowid, x.cid
      """)
    var tables: [Table] = []
    while try statement.step() {
      guard let table = statement.value(at: 0).string, let column = statement.value(at: 1).string
      else { continue }
      if tables.last.map({ $0.name.hasBytes(of: table) }) != true {
        tables.append(
          Table(
            name: table, rootPage: statement.integer(at: 6),
            isWithoutRowID: statement.integer(at: 7) != 0, columns: []))
      }
      tables[tables.count - 1].columns.append(
        Column(
          name: column, type: statement.value(at: 2).string ?? "",
          keyPlace: statement.integer(at: 3), hasKeyIndex: statement.integer(at: 8) != 0,
          hasDefault: statement.integer(at: 4) != 0, isHidden: statement.integer(at: 5) != 0))
    }
    return tables
  }
}

extension SchemaFacts.Table {
  /// The only column of the primary key, if it is SQLite's row id; `nil` if there is none.
  var keyColumn: String? { columns.keyColumn.map { columns[$0].name } }
}

extension [SchemaFacts.Column] {
  /// The position of the column that is SQLite's row id; `nil` if there is none. If a primary key has several
  /// columns, none of them is the row id.
  package var keyColumn: Int? {
    let keys = indices.filter { self[$0].keyPlace > 0 }
    guard keys.count == 1, self[keys[0]].type.uppercasedInASCII == "INTEGER",
      !self[keys[0]].hasKeyIndex
    else { return nil }
    return keys[0]
  }
}

/// The schemas of the stores that were opened last.
package final class KnownSchemas: Sendable {
  /// Those of the process.
  package static let shared = KnownSchemas()

  /// More are not kept: a fleet has stores of a few versions.
  private static let maximumCount = 16
  /// Larger schemas are not kept.
  private static let maximumBytes = 256 << 10

  private let known = Mutex<[[[Value]]: SchemaFacts]>([:])

  package init() {}

  func facts(_ rows: [[Value]]) -> SchemaFacts? {
    known.withLock { $0[rows] }
  }

  func keep(_ facts: SchemaFacts, _ rows: [[Value]]) {
    let bytes = rows.reduce(0) { sum, row in
      row.reduce(sum) { $0 + ($1.string?.utf8.count ?? 0) + 16 }
    }
    guard bytes <= Self.maximumBytes else { return }
    known.withLock { known in
      if known.count >= Self.maximumCount { known = [:] }
      known[rows] = facts
    }
  }
}
