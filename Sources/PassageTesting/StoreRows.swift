public import Passage
internal import PassageSQLite

/// Every row of every table of a store, and its schema. They are equal for stores with the same
/// contents.
///
/// The order in which rows were written, free pages and the like make no difference, nor do the
/// recorded times at which migrations began.
public struct StoreRows: Sendable, Hashable {
  /// Rows by table, sorted by their cells' text.
  public let tables: [String: [[Value]]]
  /// The statements that created tables and indexes, sorted.
  public let schema: [String]

  /// Reads a store.
  ///
  /// - Throws: the error that SQLite returns.
  public init(path: String) throws {
    let connection = try Connection.reading(path)
    let names = try connection.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    ).compactMap { $0[0].string }
    var tables: [String: [[Value]]] = [:]
    for name in names {
      tables[name] = try connection.rows("SELECT * FROM \(name.quotedIdentifier) NOT INDEXED")
        .map { name == "Z_METADATA" ? $0.map(Self.withoutTimes) : $0 }
        .map { (text: "\($0)", cells: $0) }
        .sorted { $0.text < $1.text }
        .map(\.cells)
    }
    self.tables = tables
    schema = try connection.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY sql")
      .compactMap { $0[0].string }
  }

  /// A property list of metadata without the times of the recorded migrations; any other cell
  /// unchanged.
  private static func withoutTimes(_ cell: Value) -> Value {
    guard let bytes = cell.bytes,
      case .dictionary(var members) = try? BinaryPropertyList(bytes).value(),
      let place = members.firstIndex(where: { $0.key == MigrationLedger.key })
    else { return cell }
    let ledger = MigrationLedger(reading: members[place].value)
    guard !ledger.isDamaged else { return cell }
    members[place].value = ledger.withoutTimes.propertyList
    return .blob(PropertyList.dictionary(members).binaryPropertyList)
  }

  /// The differences from other rows as text; empty if there are none.
  public func differences(from other: StoreRows, limit: Int = 20) -> [String] {
    var found: [String] = schema == other.schema ? [] : ["the schemas differ"]
    for name in Set(tables.keys).union(other.tables.keys).sorted() {
      let mine = tables[name] ?? []
      let theirs = other.tables[name] ?? []
      if mine == theirs { continue }
      let firstOnly = Set(mine).subtracting(theirs).map { "\($0)" }.sorted()
      let secondOnly = Set(theirs).subtracting(mine).map { "\($0)" }.sorted()
      found += firstOnly.map { "\(name): only in the first: \($0)" }
      found += secondOnly.map { "\(name): only in the second: \($0)" }
      if firstOnly.isEmpty, secondOnly.isEmpty, mine.count != theirs.count {
        found.append("\(name): \(mine.count) and \(theirs.count) rows")
      }
    }
    return Array(found.prefix(max(0, limit)))
  }
}
