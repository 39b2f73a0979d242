public import PassageDiagnostics
package import PassageSQLite
internal import PassageValues

/// A row of a store that cannot become an object, with the reason.
public struct QuarantinedRow: Sendable, Hashable {
  /// Why; each has a code that never changes.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// A value of another type than the attribute has.
    case wrongType = "ROW-001"
    /// A number that the attribute cannot hold.
    case outOfRange = "ROW-002"
    /// No value where the attribute needs one.
    case missingValue = "ROW-003"
    /// A key that an earlier row has.
    case duplicateKey = "ROW-004"
    /// No key.
    case missingKey = "ROW-005"
    /// A date that cannot be read.
    case unreadableDate = "ROW-006"
    /// A row that cannot be read.
    case malformed = "ROW-007"
    /// A required relationship that leads to no row.
    case missingTarget = "ROW-008"

    /// What is wrong, to be after the name of the column.
    var sentence: String {
      switch self {
      case .wrongType: "holds a value of another type"
      case .outOfRange: "holds a number that the attribute cannot hold"
      case .missingValue: "holds nothing, and the attribute needs a value"
      case .duplicateKey: "holds a key that an earlier row has"
      case .missingKey: "holds no key"
      case .unreadableDate: "holds no date"
      case .malformed: "cannot be read"
      case .missingTarget: "leads to no row, and the relationship needs one"
      }
    }
  }

  /// Why it cannot become an object.
  public var reason: Reason
  /// The file the row is in.
  public var path: String
  /// The entity it should have become.
  public var entityName: String
  /// The table, the section or whatever else the file calls the place.
  public var place: String
  /// The row's key or number in that place; `nil` where it has none.
  public var key: Int64?
  /// The column or member that is wrong; `nil` for the row as a whole.
  public var column: String?
  /// More about the reason, without any value of the row.
  public var detail: String?

  /// Describes a row.
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
      remedy: "correct the row, or allow rows to be quarantined (--max-quarantined)")
  }

  // MARK: In the staged store

  /// The table of a staged store that keeps the rows.
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

  /// The rows a staged store keeps, in the order they were quarantined; none for any other store.
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
