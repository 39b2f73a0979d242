public import PassageDiagnostics
package import PassageSQLite
internal import PassageValues

/// A row of a store that cannot become an object, with the reason.
public struct QuarantinedRow: Sendable, Hashable {
  /// The reason; each has a code that never changes.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The value has another type than the attribute.
    case wrongType = "ROW-001"
    /// The attribute cannot hold the number.
    case outOfRange = "ROW-002"
    /// A required attribute has no value.
    case missingValue = "ROW-003"
    /// An earlier row has the same key.
    case duplicateKey = "ROW-004"
    /// The row has no key.
    case missingKey = "ROW-005"
    /// The date cannot be parsed.
    case unreadableDate = "ROW-006"
    /// The row cannot be parsed.
    case malformed = "ROW-007"
    /// A required relationship leads to no row.
    case missingTarget = "ROW-008"

    /// What is wrong, to be appended to the name of the column.
    var sentence: String {
      switch self {
      case .wrongType: "has a value of another type"
      case .outOfRange: "has a number that is out of the attribute's range"
      case .missingValue: "has no value, but the attribute is required"
      case .duplicateKey: "has the same key as an earlier row"
      case .missingKey: "has no key"
      case .unreadableDate: "has no readable date"
      case .malformed: "cannot be read"
      case .missingTarget: "refers to a row that is not there"
      }
    }
  }

  /// Why it cannot become an object.
  public var reason: Reason
  /// The path of the file that holds the row.
  public var path: String
  /// The entity it should have become.
  public var entityName: String
  /// The table, section or other part of the file that holds the row.
  public var place: String
  /// The row's key or number in that part; `nil` if it has none.
  public var key: Int64?
  /// The column or member that is wrong; `nil` if it is the row as a whole.
  public var column: String?
  /// More about the reason, without any value of the row.
  public var detail: String?

  /// Creates a quarantined row.
  public init(
    _ reason: Reason, path: String, entityName: String, place: String, key: Int64?,
    column: String? = nil, detail: String? = nil
  ) {
    self.reason = reason
    self.path = path
    self.entityName = entityName
    self.place = place
    self.key = key
    self.column = column
    self.detail = detail
  }

  /// What is wrong with the row, without its values.
  public var diagnostic: Diagnostic {
    let row = key.map { "row \($0) of \(place)" } ?? "a row of \(place)"
    return Diagnostic(
      reason.rawValue, "\(column.map { "\($0) in " } ?? "")\(row) \(reason.sentence)",
      at: SourceLocation(file: path), reason: detail,
      remedy: "correct the row, or have a migration leave it out (run --max-quarantined COUNT)")
  }

  // MARK: In the staged store

  /// The table of a staged store that holds the quarantined rows.
  package static let tableName = "passage_quarantined"

  static let createTable =
    "CREATE TABLE \(tableName) (number INTEGER PRIMARY KEY, reason TEXT, entity TEXT, place TEXT, "
    + "key INTEGER, name TEXT, detail TEXT)"

  static let insert =
    "INSERT INTO main.\(tableName) (reason, entity, place, key, name, detail) "
    + "VALUES (?, ?, ?, ?, ?, ?)"

  var values: [Value] {
    func text(_ value: String?) -> Value { value.map { .text($0) } ?? .null }
    return [
      .text(reason.rawValue), .text(entityName), .text(place), key.map { .integer($0) } ?? .null,
      text(column), text(detail),
    ]
  }

  /// The quarantined rows of a staged store, in the order in which they were quarantined; empty for
  /// any other store.
  package static func read(_ connection: Connection, path: String) throws -> [QuarantinedRow] {
    guard
      try connection.integer(
        "SELECT count(*) FROM sqlite_master WHERE name = ?", [.text(tableName)]) > 0
    else { return [] }
    return try connection.rows(
      "SELECT reason, entity, place, key, name, detail FROM \(tableName) ORDER BY number"
    ).compactMap { row in
      guard let reason = row[0].string.flatMap(Reason.init(rawValue:)) else { return nil }
      return QuarantinedRow(
        reason, path: path, entityName: row[1].string ?? "", place: row[2].string ?? "",
        key: row[3].integer, column: row[4].string, detail: row[5].string)
    }
  }
}
