package import PassageDiagnostics

/// What tests ask of a JSON value; `nil`, or nothing, for a value of another kind.
extension JSONNode {
  /// A member of an object.
  package subscript(name: String) -> JSONNode? { members.first { $0.name == name }?.value }

  /// An element of a list.
  package subscript(index: Int) -> JSONNode? {
    elements.indices.contains(index) ? elements[index] : nil
  }

  package var members: [Member] { if case .object(let members) = kind { members } else { [] } }
  package var memberNames: [String] { members.map(\.name) }
  package var elements: [JSONNode] {
    if case .array(let elements) = kind { elements } else { [] }
  }
  package var text: String? { if case .string(let text) = kind { text } else { nil } }
  package var number: Int? { if case .number(let text) = kind { Int(text) } else { nil } }
  package var truth: Bool? { if case .bool(let truth) = kind { truth } else { nil } }
}
