internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageStores
internal import PassageValues

/// Functions that read a value from a binary property list, such as `stringInPropertyList:path:`.
/// They are registered like a user's own functions, because the expression language does not know
/// stores.
enum PropertyListFunctions {
  static let all: [ValueFunction] =
    reading("stringInPropertyList", .string, "a string") {
      if case .string(let value) = $0 { .text(value) } else { nil }
    }
    + reading("numberInPropertyList", .real, "a number") {
      switch $0 {
      case .integer(let value): .integer(value)
      case .unsignedInteger(let value): .real(Double(value))
      case .real(let value): .real(value)
      default: nil
      }
    }
    + reading("integerInPropertyList", .integer, "an integer") {
      if case .integer(let value) = $0 { .integer(value) } else { nil }
    }
    + reading("booleanInPropertyList", .boolean, "a truth value") {
      if case .bool(let value) = $0 { Value(value) } else { nil }
    }
    + reading("dateInPropertyList", .date, "a date") {
      if case .date(let seconds) = $0 { .real(seconds) } else { nil }
    }
    + reading("dataInPropertyList", .binary, "data") {
      if case .data(let bytes) = $0 { .blob(bytes) } else { nil }
    }
    + reading("countInPropertyList", .integer, "a list or a dictionary") {
      switch $0 {
      case .array(let elements): .integer(Int64(elements.count))
      case .dictionary(let members): .integer(Int64(members.count))
      default: nil
      }
    }

  /// The maximum size of a property list; its tree in memory takes some dozen times as much.
  private static let maximumBytes = 4 << 20

  /// The function, and its variant that returns nil where it fails.
  private static func reading(
    _ name: String, _ type: ValueType, _ expected: String,
    _ read: @escaping @Sendable (PropertyList) -> Value?
  ) -> [ValueFunction] {
    @Sendable func body(_ values: [Value]) throws -> Value {
      guard let bytes = values[0].bytes, let path = values[1].string else { return .null }
      guard let found = find(try ValuePath(path), in: try parse(bytes)) else { return .null }
      guard let value = read(found) else {
        throw unreadable("\(expected) is expected in a property list at “\(path)”", nil)
      }
      return value
    }
    let types: [ValueType] = [.binary, .string]
    return [
      ValueFunction("\(name):path:", takes: types, gives: type, revision: "1") { try body($0) },
      ValueFunction("\(name)OrNull:path:", takes: types, gives: type, revision: "1") { values in
        do {
          return try body(values)
        } catch let diagnostic as Diagnostic where diagnostic.code == "PRE-040" {
          return .null
        }
      },
    ]
  }

  private static func parse(_ bytes: [UInt8]) throws -> PropertyList {
    guard bytes.count <= maximumBytes else {
      throw unreadable(
        "a property list has \(bytes.count) bytes, more than \(maximumBytes)", nil)
    }
    do throws(PropertyListError) {
      return try BinaryPropertyList(bytes).value()
    } catch {
      throw unreadable("a value is not a binary property list", "\(error)")
    }
  }

  private static func unreadable(_ message: String, _ reason: String?) -> Diagnostic {
    Diagnostic(
      "PRE-040", message, reason: reason,
      remedy: "call the function whose name ends in OrNull, which returns nil")
  }

  private static func find(_ path: ValuePath, in root: PropertyList) -> PropertyList? {
    var value = root
    for step in path.steps {
      switch step {
      case .name(let name):
        guard let member = value[name] else { return nil }
        value = member
      case .index(let index):
        guard let elements = value.elements,
          let position = ValuePath.position(index, in: elements.count)
        else { return nil }
        value = elements[position]
      }
    }
    return value
  }
}
