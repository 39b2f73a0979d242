internal import Passage

extension JSONText {
  /// A value that was read, to be written again. Objects and lists of plain values are on one line.
  init(_ node: JSONNode) {
    self =
      switch node.kind {
      case .null: .null
      case .bool(let value): .bool(value)
      case .number(let text): .number(text)
      case .string(let text): .string(text)
      case .array(let elements):
        elements.allSatisfy(\.isPlain)
          ? .shortList(elements.map { JSONText($0) }) : .list(elements.map { JSONText($0) })
      case .object(let members):
        members.count <= 1 && members.allSatisfy(\.value.isPlain)
          ? .shortObject(members.map { ($0.name, JSONText($0.value)) })
          : .object(members.map { ($0.name, JSONText($0.value)) })
      }
  }

  /// Changes the member at a path of names; without effect if it does not exist.
  mutating func change(_ path: [String], _ body: (inout JSONText) -> Void) {
    guard let name = path.first else { return body(&self) }
    guard case .object(var members) = self,
      let index = members.firstIndex(where: { $0.name == name })
    else { return }
    members[index].value.change(Array(path.dropFirst()), body)
    self = .object(members)
  }

  /// Adds a member to an object.
  mutating func add(_ name: String, _ value: JSONText) {
    switch self {
    case .object(let members), .shortObject(let members): self = .object(members + [(name, value)])
    default: break
    }
  }
}

extension JSONNode {
  fileprivate var isPlain: Bool {
    switch kind {
    case .null, .bool, .number, .string: true
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    }
  }
}
