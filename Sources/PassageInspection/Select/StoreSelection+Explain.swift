internal import PassageEngine
internal import PassageExpressions
internal import PassageQueries
internal import PassageSQLite
internal import PassageValues

extension StoreSelection {
  /// How a selection is evaluated.
  package struct Explanation: Sendable {
    /// A part of the filter that is evaluated in memory.
    package struct Part: Sendable {
      /// The part, in the format language.
      package let text: String
      /// Why the part is not evaluated in SQL.
      package let reason: String
    }

    /// The statement that counts the objects, or that selects those which the parts in memory
    /// examine; values are `?`.
    package let sql: String
    /// The values of the statement's parameters, in order, as SQL literals.
    package let constants: [String]
    /// SQLite's query plan, one line for each table: the details of EXPLAIN QUERY PLAN, such as
    /// `SEARCH s USING INDEX Z_Note_byTitle (ZTITLE=?)`.
    package let access: [String]
    /// The names of the indexes that are used.
    package let indexes: [String]
    /// The parts of the filter that are evaluated in memory.
    package let inMemory: [Part]
  }

  /// Explains how the selection would be evaluated.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  package func explain() throws -> Explanation {
    let fragment = parts?.inMemory == nil ? source("count(*)") : cells.statement
    let access = try reading {
      let statement = try prepare(
        SQLFragment("EXPLAIN QUERY PLAN " + fragment.sql, fragment.bindings))
      defer { statement.reset() }
      var lines: [String] = []
      while try statement.step() { lines.append(statement.value(at: 3).string ?? "") }
      return lines
    }
    return Explanation(
      sql: fragment.sql, constants: fragment.bindings.map(\.literal), access: access,
      indexes: access.compactMap(Self.index),
      inMemory: (parts?.parts ?? []).compactMap { part in
        part.reason.map { Explanation.Part(text: part.text, reason: $0) }
      })
  }

  /// The index in a line of the query plan: `… USING INDEX name (…)` or `… USING COVERING INDEX
  /// name`.
  private static func index(_ line: String) -> String? {
    guard let words = line.firstRange(of: "INDEX ") else { return nil }
    let rest = line[words.upperBound...]
    let end = rest.firstRange(of: " (")?.lowerBound ?? rest.endIndex
    let name = String(rest[..<end])
    return name.isEmpty || line.contains("AUTOMATIC") ? nil : name
  }
}

extension Value {
  /// The value as a SQL literal; for bytes, only their number.
  fileprivate var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): text.quotedLiteral
    case .blob(let bytes), .malformedText(let bytes): "\(bytes.count) bytes"
    }
  }
}
