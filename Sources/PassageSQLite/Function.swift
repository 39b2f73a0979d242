internal import CSQLite
package import PassageValues

/// A function of the expression language that SQL can call on one connection.
package struct SQLFunction: Sendable {
  /// The name in SQL.
  package var name: String
  /// The number of arguments; -1 for any number.
  package var argumentCount: Int32
  /// Whether equal arguments always give an equal result within one statement.
  package var isDeterministic: Bool
  /// Computes the result. An error becomes the statement's error.
  package var evaluate: @Sendable ([Value]) throws -> Value

  package init(
    name: String, argumentCount: Int32, isDeterministic: Bool = true,
    evaluate: @escaping @Sendable ([Value]) throws -> Value
  ) {
    self.name = name
    self.argumentCount = argumentCount
    self.isDeterministic = isDeterministic
    self.evaluate = evaluate
  }
}

extension Connection {
  /// Registers a function for statements of this connection. The schema of a file cannot call it,
  /// only statements that Passage wrote.
  package func register(_ function: SQLFunction) throws(SQLiteError) {
    let box = FunctionBox(function)
    keep(box)
    let flags =
      SQLITE_UTF8 | SQLITE_DIRECTONLY | (function.isDeterministic ? SQLITE_DETERMINISTIC : 0)
    let code = sqlite3_create_function_v2(
      handle, function.name, function.argumentCount, flags,
      Unmanaged.passUnretained(box).toOpaque(),
      { context, count, arguments in
        guard let context, let user = sqlite3_user_data(context) else { return }
        let box = Unmanaged<FunctionBox>.fromOpaque(user).takeUnretainedValue()
        box.call(context, arguments: UnsafeBufferPointer(start: arguments, count: Int(count)))
      }, nil, nil, nil)
    if code != SQLITE_OK { throw error(code) }
  }
}

/// Keeps a function's closure alive as long as its connection, and holds the error it threw.
final class FunctionBox {
  let function: SQLFunction

  init(_ function: SQLFunction) { self.function = function }

  func call(_ context: OpaquePointer, arguments: UnsafeBufferPointer<OpaquePointer?>) {
    do {
      Self.give(try function.evaluate(arguments.map(Self.value)), to: context)
    } catch {
      sqlite3_result_error(context, "\(function.name): \(error)", -1)
    }
  }

  /// Sets the result of a call.
  static func give(_ value: Value, to context: OpaquePointer) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .real(let value): sqlite3_result_double(context, value)
    case .text(var value):
      value.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          guard let address = $0.baseAddress, $0.count > 0 else {
            return passage_sqlite3_result_text_transient(context, "", 0)
          }
          passage_sqlite3_result_text_transient(context, address, UInt64($0.count))
        }
      }
    case .blob(let value):
      if value.isEmpty {
        sqlite3_result_zeroblob(context, 0)
      } else {
        value.withUnsafeBytes {
          passage_sqlite3_result_blob_transient(context, $0.baseAddress, UInt64($0.count))
        }
      }
    case .malformedText(let value):
      value.withUnsafeBytes {
        $0.withMemoryRebound(to: CChar.self) {
          passage_sqlite3_result_text_transient(context, $0.baseAddress ?? nil, UInt64($0.count))
        }
      }
    }
  }

  static func value(_ argument: OpaquePointer?) -> Value {
    switch sqlite3_value_type(argument) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(argument))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(argument))
    case SQLITE_TEXT:
      let text = sqlite3_value_text(argument)
      return Value(
        utf8: UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(argument))))
    case SQLITE_BLOB:
      let blob = sqlite3_value_blob(argument)
      let count = Int(sqlite3_value_bytes(argument))
      return .blob(Array(UnsafeRawBufferPointer(start: blob, count: count)))
    default: return .null
    }
  }
}
