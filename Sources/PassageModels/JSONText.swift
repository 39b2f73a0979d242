/// A JSON value for output. Small lists and objects are on one line, and larger ones have one line
/// for each element, so that a changed attribute is one changed line.
package indirect enum JSONText {
  case null
  case bool(Bool)
  /// A number in its notation.
  case number(String)
  case string(String)
  /// A list with one line for each element.
  case list([JSONText])
  /// A list on one line.
  case shortList([JSONText])
  /// An object with one line for each member.
  case object([(name: String, value: JSONText)])
  /// An object on one line.
  case shortObject([(name: String, value: JSONText)])

  /// The text, indented by two spaces for each level, without a final line break.
  package func rendered(indent: Int = 0) -> String {
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .number(let text): return text
    case .string(let text): return Self.quoted(text)
    case .shortList(let elements):
      return "[\(elements.map { $0.rendered(indent: indent) }.joined(separator: ", "))]"
    case .shortObject(let members):
      return members.isEmpty ? "{}" : "{ \(Self.members(members, indent).joined(separator: ", ")) }"
    case .list(let elements):
      return Self.block(elements.map { $0.rendered(indent: indent + 1) }, "[", "]", indent)
    case .object(let members):
      return Self.block(Self.members(members, indent + 1), "{", "}", indent)
    }
  }

  private static func members(
    _ members: [(name: String, value: JSONText)], _ indent: Int
  ) -> [String] {
    members.map { "\(quoted($0.name)): \($0.value.rendered(indent: indent))" }
  }

  private static func block(
    _ lines: [String], _ open: String, _ close: String, _ indent: Int
  ) -> String {
    guard !lines.isEmpty else { return open + close }
    let inner = String(repeating: "  ", count: indent + 1)
    let outer = String(repeating: "  ", count: indent)
    return open + "\n" + lines.map { inner + $0 }.joined(separator: ",\n") + "\n" + outer + close
  }

  /// A JSON string, in which quotation marks, backslashes and control characters are escaped.
  private static func quoted(_ text: String) -> String {
    // Most texts have nothing to escape.
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else {
      return "\"" + text + "\""
    }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
