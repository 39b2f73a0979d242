internal import PassageEngine
internal import PassageExpressions
internal import PassageQueries
internal import PassageSQLite
internal import PassageValues

extension StoreSelection {
  /// How a selection is carried out.
  package struct Explanation: Sendable {
    /// A part of the filter that is evaluated in memory.
    package struct Part: Sendable {
      /// The part, in the format language.
      package let text: String
      /// Why it is not said in SQL.
      package let reason: String
    }

    /// The statement that counts, or that gives the objects which the parts in memory look at;
    /// values are `?`. Empty, with `constants` and `access`, for nothing.
    package let sql: String
    /// The values of its `?`, in order, as SQL writes them.
    package let constants: [String]
    /// What SQLite does, a line for each table: the details of EXPLAIN QUERY PLAN, such as
    /// `SEARCH s USING INDEX Z_Note_byTitle (ZTITLE=?)`.
    package let access: [String]
    /// The indexes that are used, as the store names them.
    package let indexes: [String]
    /// What is evaluated in memory.
    package let inMemory: [Part]
  }

  /// Says how the selection would be carried out.
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

  /// The index a line names: `… USING INDEX name (…)` or `… USING COVERING INDEX name`.
  private static func index(_ line: String) -> String? {
    guard let words = line.firstRange(of: "INDEX ") else { return nil }
    let rest = line[words.upperBound...]
    let end = rest.firstRange(of: " (")?.lowerBound ?? rest.endIndex
    let name = String(rest[..<end])
    return name.isEmpty || line.contains("AUTOMATIC") ? nil : name
  }
}

extension Value {
  /// As SQL writes it.
  fileprivate var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    case .blob(let bytes), .malformedText(let bytes): "\(bytes.count) bytes"
    }
  }
}
