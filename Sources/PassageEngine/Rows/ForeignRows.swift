internal import PassageSQLite
internal import PassageValues
internal import Synchronization

/// Counts the source objects with the number of another entity while the set lane reads them, at little
/// cost while there are none: it evaluates `Z_ENT IS n OR passage_foreign()`, and the function is
/// called only for such an object. See ``ForeignNumbers``.
final class ForeignRows: Sendable {
  private static let functionName = "passage_foreign"

  private let count = Mutex<Int64>(0)

  /// Registers the function on the connection that runs the set lane.
  func register(on connection: Connection) throws(SQLiteError) {
    try connection.register(
      SQLFunction(name: Self.functionName, argumentCount: 0, isDeterministic: false) { [self] _ in
        count.withLock { $0 += 1 }
        return .integer(1)
      })
  }

  /// A condition that holds for every row of a query that reads each object once.
  static func condition(_ number: Int) -> String {
    "(s.\"Z_ENT\" IS \(number) OR \(functionName)())"
  }

  /// The objects since the last call.
  func take() -> Int64 {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }
}
