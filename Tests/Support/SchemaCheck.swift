package import PassageDiagnostics

/// Compares a JSON value with a JSON Schema (draft 2020-12), as far as this project's schemas use
/// it: an editor must see the mistakes that the decoders see.
///
/// A keyword that is not known here is reported, so that no schema can say more than is checked.
package struct SchemaCheck {
  /// The whole schema file; `#/$defs/…` is looked up in it.
  package let root: JSONNode

  package init(root: JSONNode) { self.root = root }

  /// What is wrong, each with the value's path in the document; empty when the value is valid.
  package func mistakes(in value: JSONNode) -> [String] { mistakes(in: value, root, path: "") }

  /// The schema that a definition of the file gives.
  package func definition(_ name: String) -> JSONNode? { root["$defs"]?[name] }

  private func mistakes(in value: JSONNode, _ schema: JSONNode, path: String) -> [String] {
    if case .bool(let isAllowed) = schema.kind { return isAllowed ? [] : ["\(path): not allowed"] }
    guard case .object(let keywords) = schema.kind else { return ["\(path): no schema"] }
    return keywords.flatMap { keyword in
      mistakes(in: value, keyword.name, keyword.value, of: schema, path: path)
    }
  }

  private func mistakes(
    in value: JSONNode, _ keyword: String, _ operand: JSONNode, of schema: JSONNode, path: String
  ) -> [String] {
    func fail(_ message: String) -> [String] { ["\(path): \(message)"] }
    switch keyword {
    case "$schema", "$defs", "title", "description", "default", "examples", "else", "then":
      return []
    case "$ref":
      guard let name = operand.text?.split(separator: "/").last.map(String.init),
        let definition = definition(name)
      else { return fail("the schema refers to nothing") }
      return mistakes(in: value, definition, path: path)
    case "type":
      let types = operand.elements.isEmpty ? [operand] : operand.elements
      let isFit = types.contains { $0.text.map { value.isOf(type: $0) } ?? false }
      return isFit ? [] : fail("of another type")
    case "enum":
      return operand.elements.contains { $0.kind == value.kind } ? [] : fail("not in the list")
    case "const":
      return operand.kind == value.kind ? [] : fail("another value")
    case "required":
      let missing = operand.elements.compactMap(\.text).filter { value[$0] == nil }
      guard case .object = value.kind else { return [] }
      return missing.map { "\(path): needs \($0)" }
    case "properties":
      return operand.members.flatMap { property in
        value[property.name].map {
          mistakes(in: $0, property.value, path: "\(path)/\(property.name)")
        } ?? []
      }
    case "additionalProperties":
      let known = Set((schema["properties"]?.members ?? []).map(\.name))
      return value.members.filter { !known.contains($0.name) }.flatMap {
        mistakes(in: $0.value, operand, path: "\(path)/\($0.name)")
      }
    case "items":
      return value.elements.enumerated().flatMap {
        mistakes(in: $1, operand, path: "\(path)/\($0)")
      }
    case "allOf":
      return operand.elements.flatMap { mistakes(in: value, $0, path: path) }
    case "anyOf":
      let isFit = operand.elements.contains { mistakes(in: value, $0, path: path).isEmpty }
      return isFit ? [] : fail("fits no alternative")
    case "if":
      let branch = mistakes(in: value, operand, path: path).isEmpty ? "then" : "else"
      return schema[branch].map { mistakes(in: value, $0, path: path) } ?? []
    case "minLength", "maxLength", "minItems", "minProperties", "maxProperties", "minimum",
      "maximum":
      return bound(keyword, operand, value) ? [] : fail("\(keyword) is broken")
    default:
      return fail("the schema's keyword \(keyword) is not checked")
    }
  }

  private func bound(_ keyword: String, _ operand: JSONNode, _ value: JSONNode) -> Bool {
    guard let limit = operand.double else { return false }
    switch (keyword, value.kind) {
    case ("minLength", .string(let text)): return Double(text.unicodeScalars.count) >= limit
    case ("maxLength", .string(let text)): return Double(text.unicodeScalars.count) <= limit
    case ("minItems", .array(let elements)): return Double(elements.count) >= limit
    case ("minProperties", .object(let members)): return Double(members.count) >= limit
    case ("maxProperties", .object(let members)): return Double(members.count) <= limit
    case ("minimum", .number): return value.double.map { $0 >= limit } ?? false
    case ("maximum", .number): return value.double.map { $0 <= limit } ?? false
    // A keyword says nothing about a value of another kind.
    default: return true
    }
  }
}

extension JSONNode {
  fileprivate var double: Double? {
    if case .number(let text) = kind { Double(text) } else { nil }
  }

  fileprivate func isOf(type: String) -> Bool {
    switch (type, kind) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array),
      ("object", .object), ("number", .number):
      true
    case ("integer", .number(let text)): Int(text) != nil
    default: false
    }
  }
}
