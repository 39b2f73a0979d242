/// Reads typed values from a ``JSONNode`` tree and collects mistakes.
///
/// One decoder reads one file. Its ``diagnostics`` contain every mistake, not only the first.
package struct JSONDecoding {
  package private(set) var diagnostics = Diagnostics()

  /// The code for a value of the wrong type, and for an unknown or missing member.
  private let code: String

  /// - Parameter code: the code for such mistakes in this kind of file.
  package init(code: String) { self.code = code }

  package mutating func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  /// Reports an error, which is made only if it is listed; see ``Diagnostics/appendError(_:)``.
  package mutating func reportError(_ make: () -> Diagnostic) { diagnostics.appendError(make) }

  /// The members of an object, by name. Members not in `known` are reported with the nearest known
  /// name.
  package mutating func members(
    of node: JSONNode, _ what: String, known: [String], required: [String] = []
  ) -> [String: JSONNode]? {
    guard case .object(let members) = node.kind else {
      mismatch(node, what, expected: "an object")
      return nil
    }
    let code = self.code
    var byName: [String: JSONNode] = [:]
    for member in members where member.name != "$schema" {
      if known.contains(member.name) {
        byName[member.name] = member.value
      } else {
        reportError {
          Diagnostic(
            code, "\(what) has no member “\(member.name)”", at: member.nameLocation,
            remedy: nearest(to: member.name, in: known).map { "did you mean “\($0)”?" }
              ?? "use one of: \(known.joined(separator: ", "))")
        }
      }
    }
    for name in required where byName[name] == nil {
      report(Diagnostic(code, "\(what) needs the member “\(name)”", at: node.location))
    }
    return byName
  }

  package mutating func string(_ node: JSONNode?, _ what: String) -> String? {
    guard let node else { return nil }
    guard case .string(let value) = node.kind else {
      mismatch(node, what, expected: "a string")
      return nil
    }
    return value
  }

  package mutating func bool(_ node: JSONNode?, _ what: String) -> Bool? {
    guard let node else { return nil }
    guard case .bool(let value) = node.kind else {
      mismatch(node, what, expected: "true or false")
      return nil
    }
    return value
  }

  /// An integer from 0 to `maximum`.
  package mutating func count(_ node: JSONNode?, _ what: String, maximum: Int = .max) -> Int? {
    guard let node else { return nil }
    guard case .number(let text) = node.kind, let value = Int(text), (0...maximum).contains(value)
    else {
      let expected = "a whole number from 0 to \(maximum)"
      if case .number = node.kind {
        mistake(node, what, expected: expected)
      } else {
        mismatch(node, what, expected: expected)
      }
      return nil
    }
    return value
  }

  package mutating func array(_ node: JSONNode?, _ what: String) -> [JSONNode] {
    guard let node else { return [] }
    guard case .array(let elements) = node.kind else {
      mismatch(node, what, expected: "a list")
      return []
    }
    return elements
  }

  package mutating func strings(_ node: JSONNode?, _ what: String) -> [String] {
    array(node, what).compactMap { string($0, what) }
  }

  /// An object whose members are all strings.
  package mutating func strings(byName node: JSONNode?, _ what: String) -> [String: String] {
    guard let node else { return [:] }
    guard case .object(let members) = node.kind else {
      mismatch(node, what, expected: "an object of strings")
      return [:]
    }
    var values: [String: String] = [:]
    for member in members { values[member.name] = string(member.value, what) }
    return values
  }

  /// One of a fixed set of words.
  package mutating func word<Word: RawRepresentable & CaseIterable>(
    _ node: JSONNode?, _ what: String, as type: Word.Type
  ) -> Word? where Word.RawValue == String {
    guard let node, let text = string(node, what) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let code = self.code
    reportError {
      let words = Word.allCases.map(\.rawValue)
      return Diagnostic(
        code, "\(what) cannot be “\(text)”", at: node.location,
        remedy: nearest(to: text, in: words).map { "did you mean “\($0)”?" }
          ?? "use one of: \(words.joined(separator: ", "))")
    }
    return nil
  }

  /// Reports a value of another kind than the expected one.
  package mutating func mismatch(
    _ node: JSONNode, _ what: String, expected: String, remedy: String? = nil
  ) {
    report(
      Diagnostic(
        code, "\(what) must be \(expected), not \(node.kindName)", at: node.location,
        remedy: remedy))
  }

  /// Reports a value of the right kind that is not one of those expected. The message names the value
  /// itself: its kind is what it must be.
  package mutating func mistake(_ node: JSONNode, _ what: String, expected: String) {
    report(
      Diagnostic(code, "\(what) must be \(expected), not \(node.valueName)", at: node.location))
  }
}
