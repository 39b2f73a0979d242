internal import PassageDiagnostics
internal import PassageExpressions
internal import PassagePlatform

extension MappingReader {
  /// The typed values of variables, `$name`, by name.
  mutating func variables(_ node: JSONNode?) -> [String: PredicateArgument] {
    guard let node else { return [:] }
    guard case .object(let members) = node.kind else {
      decoding.mismatch(
        node, "“variables”", expected: "an object with a member for each variable")
      return [:]
    }
    var variables: [String: PredicateArgument] = [:]
    for member in members {
      if let value = argument(member.value, "the variable “\(member.name)”") {
        variables[member.name] = value
      }
    }
    return variables
  }

  /// Values of JSON's own types are used directly; other types are an object with one member.
  mutating func argument(_ node: JSONNode, _ what: String) -> PredicateArgument? {
    switch node.kind {
    case .null: return .null
    case .bool(let value): return .boolean(value)
    case .string(let text): return .string(text)
    case .number(let text):
      if let value = Int64(text) { return .integer(value) }
      if let value = Double(text), value.isFinite { return .real(value) }
      decoding.mistake(node, what, expected: "a number that fits in 64 bits")
      return nil
    case .array(let elements):
      var values: [PredicateArgument] = []
      for element in elements {
        guard let value = argument(element, "an element of \(what)") else { return nil }
        values.append(value)
      }
      return .list(values)
    case .object(let members):
      guard members.count == 1, let member = members.first,
        MappingDocument.variableMembers.contains(member.name)
      else {
        decoding.mistake(
          node, what,
          expected: "an object with exactly one member, which is one of "
            + MappingDocument.variableMembers.map { "“\($0)”" }.joined(separator: ", "))
        return nil
      }
      return typed(member.name, member.value, what)
    }
  }

  private mutating func typed(
    _ type: String, _ node: JSONNode, _ what: String
  ) -> PredicateArgument? {
    guard let text = decoding.string(node, what) else { return nil }
    switch type {
    case "date":
      if let date = PredicateArgument.date(text) { return date }
      decoding.mistake(node, what, expected: "ISO 8601 with its zone, as in 2024-01-31T12:00:00Z")
    case "uuid":
      if let uuid = UUID(uuidString: text) { return .uuid(uuid) }
      decoding.mistake(node, what, expected: "a UUID")
    case "data":
      if let data = Data(base64Encoded: text) { return .data(data) }
      decoding.mistake(node, what, expected: "bytes in Base64")
    case "object":
      if let object = PredicateArgument.object(text) { return object }
      decoding.mistake(node, what, expected: "an object's URI, as in x-coredata:///Book/p12")
    case "keyPath": return .keyPath(text)
    default: return .url(text)
    }
    return nil
  }
}
