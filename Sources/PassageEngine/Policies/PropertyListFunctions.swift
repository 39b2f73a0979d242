internal import PassageDiagnostics
package import PassageExpressions
internal import PassageModels
internal import PassageStores
internal import PassageValues

/// Functions that read a value from a binary property list or a keyed archive, such as
/// `stringInPropertyList:path:` and `stringInArchive:path:`. They are registered like a user's own
/// functions, because the expression language does not know stores.
package enum PropertyListFunctions {
  /// All of them.
  package static let all: [ValueFunction] =
    reading("PropertyList", find: PropertyListFunctions.value)
    + reading("Archive", find: PropertyListFunctions.archivedValue) + ArchiveFunctions.all

  /// The maximum size of a property list; its tree in memory takes some dozen times as much.
  static let maximumBytes = 4 << 20

  /// The longest JSON text in bytes. A value that a property list has once and refers to often is
  /// written as often.
  static let maximumJSONBytes = 64 << 20

  /// Finds the value at a path in bytes; `nil` if there is nothing.
  private typealias Find = @Sendable ([UInt8], ValuePath) throws -> PlainValue?

  /// The functions of one format, each with its variant that returns nil where it fails.
  private static func reading(_ format: String, find: @escaping Find) -> [ValueFunction] {
    func function(
      _ kind: String, _ type: ValueType, _ expected: String,
      _ read: @escaping @Sendable (PlainValue) throws -> Value?
    ) -> [ValueFunction] {
      reading("\(kind)In\(format)", type, expected, format, find, read)
    }
    return function("string", .string, "a string") {
      if case .string(let value) = $0 { .text(value) } else { nil }
    }
      + function("number", .real, "a number") {
        switch $0 {
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        default: nil
        }
      }
      + function("integer", .integer, "an integer") {
        if case .integer(let value) = $0 { .integer(value) } else { nil }
      }
      + function("boolean", .boolean, "a truth value") {
        if case .bool(let value) = $0 { Value(value) } else { nil }
      }
      + function("date", .date, "a date") {
        if case .date(let seconds) = $0 { .real(seconds) } else { nil }
      }
      + function("data", .binary, "data") {
        if case .data(let bytes) = $0 { .blob(bytes) } else { nil }
      }
      + function("count", .integer, "a list or a dictionary") {
        switch $0 {
        case .list(let elements): .integer(Int64(elements.count))
        case .dictionary(let members): .integer(Int64(members.count))
        default: nil
        }
      }
      + function("JSON", .string, "a value that JSON can express") {
        guard $0.jsonBytes <= maximumJSONBytes else {
          throw ValueFunction.unreadable(
            "a value would become a JSON text of more than \(maximumJSONBytes) bytes", nil)
        }
        return $0.json.map { .text($0.rendered()) }
      }
  }

  /// The function, and its variant that returns nil where it fails.
  private static func reading(
    _ name: String, _ type: ValueType, _ expected: String, _ format: String, _ find: @escaping Find,
    _ read: @escaping @Sendable (PlainValue) throws -> Value?
  ) -> [ValueFunction] {
    let what = format == "Archive" ? "a keyed archive" : "a property list"
    return ValueFunction.withOrNull("\(name):path:", takes: [.binary, .string], gives: type) {
      guard let bytes = $0[0].bytes, let path = $0[1].string else { return .null }
      guard bytes.count <= maximumBytes else {
        throw ValueFunction.unreadable(
          "\(what) has \(bytes.count) bytes, more than \(maximumBytes)", nil)
      }
      guard let found = try find(bytes, try ValuePath(path)), found != .null else { return .null }
      guard let value = try read(found) else {
        throw ValueFunction.unreadable("\(expected) is expected in \(what) at “\(path)”", nil)
      }
      return value
    }
  }

  // MARK: Finding

  @Sendable private static func value(
    in bytes: [UInt8], at path: ValuePath
  ) throws -> PlainValue? {
    let root: PropertyList
    do throws(PropertyListError) {
      let list = try BinaryPropertyList(bytes)
      guard list.expandedCount <= BinaryPropertyList.proportionateSteps(bytes: bytes.count) else {
        throw PropertyListError.tooLarge
      }
      root = try list.value()
    } catch {
      throw ValueFunction.unreadable("a value cannot be read as a property list", "\(error)")
    }
    return find(path, in: root).map { PlainValue($0) }
  }

  @Sendable private static func archivedValue(
    in bytes: [UInt8], at path: ValuePath
  ) throws -> PlainValue? {
    do throws(KeyedArchiveError) {
      var values = try ArchivedValues(bytes)
      return try values.value(
        at: path.steps.map { step in
          switch step {
          case .name(let name): .key(name)
          case .index(let index): .index(index)
          }
        })
    } catch {
      throw ValueFunction.unreadable("a value is not a keyed archive of plain values", "\(error)")
    }
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

extension ValueFunction {
  /// A function that cannot read every value, and its variant that returns nil where it fails.
  static func withOrNull(
    _ selector: String, takes parameters: [ValueType], gives type: ValueType,
    body: @escaping Body
  ) -> [ValueFunction] {
    let base = selector.prefix { $0 != ":" }
    let lenient = base + "OrNull" + selector.dropFirst(base.count)
    return [
      ValueFunction(selector, takes: parameters, gives: type, revision: "2", body: body),
      ValueFunction(String(lenient), takes: parameters, gives: type, revision: "2") { values in
        do {
          return try body(values)
        } catch let diagnostic as Diagnostic where diagnostic.code == "PRE-040" {
          return .null
        }
      },
    ]
  }

  /// The error for a value that a function cannot read.
  static func unreadable(_ message: String, _ reason: String?) -> Diagnostic {
    Diagnostic(
      "PRE-040", message, reason: reason,
      remedy: "call the function whose name ends in OrNull, which returns nil")
  }
}
