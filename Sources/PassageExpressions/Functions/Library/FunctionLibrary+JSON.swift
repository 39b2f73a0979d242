import PassageDiagnostics
import PassageModels
import PassagePlatform
import PassageValues

extension FunctionLibrary {
  static let json: [ValueFunction] =
    reading("stringInJSON:path:", .string, "a string") {
      if case .string(let text) = $0 { .text(text) } else { nil }
    }
    + reading("numberInJSON:path:", .real, "a number") {
      if case .number(let text) = $0 { number(text) } else { nil }
    }
    + reading("integerInJSON:path:", .integer, "a whole number") {
      guard case .number(let text) = $0, let value = number(text)?.integer else { return nil }
      return .integer(value)
    }
    + reading("booleanInJSON:path:", .boolean, "a truth value") {
      if case .bool(let value) = $0 { Value(value) } else { nil }
    }
    + reading("countInJSON:path:", .integer, "a list or an object") {
      switch $0 {
      case .array(let elements): .integer(Int64(elements.count))
      case .object(let members): .integer(Int64(members.count))
      default: nil
      }
    }

  /// Passes the elements of a list in JSON: texts, numbers and truth values as texts, lists and
  /// objects as JSON, null as nil. Nothing is passed when there is nothing at the path, or null.
  static func forEachElement(
    inJSON value: Value, at text: String, _ body: (Value) throws -> Bool
  ) throws {
    let remedy = "filter such objects out"
    guard !value.isNull, let kind = find(try ValuePath(text), in: try parse(value, remedy: remedy))
    else { return }
    switch kind {
    case .null: return
    case .array(let elements):
      for element in elements {
        guard try body(element.elementValue) else { return }
      }
    default:
      throw Diagnostic(
        FunctionCode.unreadable, "a list is expected in JSON at “\(text)”",
        remedy: "correct the path, or \(remedy)")
    }
  }

  static func checkPath(_ arguments: [Value?]) throws {
    if let path = arguments.last??.string { _ = try ValuePath(path) }
  }

  /// The largest text in bytes: its parsed tree takes dozens of times as much memory.
  private static let maximumBytes = 4 << 20

  private static func reading(
    _ selector: String, _ type: ValueType, _ expected: String,
    _ read: @escaping @Sendable (JSONNode.Kind) -> Value?
  ) -> [ValueFunction] {
    ValueFunction.reading(
      selector, [.textOrBinary, .type(.string)], type,
      check: checkPath
    ) {
      let paths = Memo<ExactText, ValuePath>()
      return { values in
        guard let text = values[1].string else { return .null }
        let path = try paths.use(ExactText(text), make: { try ValuePath($0.text) }) { $0 }
        guard let kind = find(path, in: try parse(values[0])) else { return .null }
        if case .null = kind { return .null }
        guard let value = read(kind) else {
          throw Diagnostic(
            FunctionCode.unreadable, "\(expected) is expected in JSON at “\(text)”",
            remedy: "call the function whose name ends in OrNull, which returns nil")
        }
        return value
      }
    }
  }

  private static func parse(
    _ value: Value,
    remedy: String = "call the function whose name ends in OrNull, which returns nil"
  ) throws -> JSONNode {
    let bytes: [UInt8]
    switch value {
    case .text(let text): bytes = Array(text.utf8)
    case .blob(let blob): bytes = blob
    default: bytes = []
    }
    guard bytes.count <= maximumBytes else {
      throw Diagnostic(
        FunctionCode.unreadable, "a JSON text has \(bytes.count) bytes, more than \(maximumBytes)")
    }
    do throws(Diagnostic) {
      return try JSONParser.parse(value: bytes)
    } catch {
      throw Diagnostic(
        FunctionCode.unreadable, "a value is not JSON",
        // The parser's own message may contain the name of a member, which is part of the value.
        reason: error.location.map {
          "the mistake is at line \($0.line ?? 1), column \($0.column ?? 1)"
        },
        remedy: remedy)
    }
  }

  private static func find(_ path: ValuePath, in root: JSONNode) -> JSONNode.Kind? {
    var kind = root.kind
    for step in path.steps {
      switch (step, kind) {
      case (.name(let name), .object(let members)):
        guard let member = members.first(where: { $0.name.hasBytes(of: name) }) else { return nil }
        kind = member.value.kind
      case (.index(let index), .array(let elements)):
        guard let position = ValuePath.position(index, in: elements.count) else { return nil }
        kind = elements[position].kind
      default: return nil
      }
    }
    return kind
  }

  private static func number(_ text: String) -> Value? {
    if let integer = Int64(text) { return .integer(integer) }
    guard let real = Double(text), real.isFinite else { return nil }
    return .real(real)
  }
}

extension JSONNode {
  /// The value of an element of a list.
  fileprivate var elementValue: Value {
    switch kind {
    case .null: .null
    case .bool(let value): .text(value ? "true" : "false")
    case .number(let text), .string(let text): .text(text)
    case .array, .object: .text(jsonText.rendered())
    }
  }

  private var jsonText: JSONText {
    switch kind {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let text): .number(text)
    case .string(let text): .string(text)
    case .array(let elements): .shortList(elements.map(\.jsonText))
    case .object(let members): .shortObject(members.map { ($0.name, $0.value.jsonText) })
    }
  }
}
