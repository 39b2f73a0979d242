internal import PassageDiagnostics
internal import PassageExpressions

extension MappingReader {
  /// A text is the expression alone.
  mutating func merge(_ node: JSONNode?) -> EntityMapping.Merge? {
    guard let node else { return nil }
    if case .string(let text) = node.kind {
      var merge = EntityMapping.Merge(text)
      merge.value.location = node.location
      return merge
    }
    guard
      let members = decoding.members(
        of: node, "“mergeBy”", known: MappingDocument.mergeMembers, required: ["value"]),
      let value = located(members["value"], "“value”")
    else { return nil }
    var merge = EntityMapping.Merge(value.value)
    merge.value = value
    merge.kept =
      decoding.word(members["keep"], "“keep”", as: EntityMapping.Merge.Kept.self) ?? .first
    return merge
  }

  /// A list of objects whose members are attributes with typed values, as variables have.
  mutating func addedObjects(_ node: JSONNode?) -> [EntityMapping.AddedObject] {
    decoding.array(node, "“objects”").map { element in
      guard case .object(let members) = element.kind else {
        decoding.mismatch(
          element, "an element of “objects”",
          expected: "an object with a member for each attribute")
        return EntityMapping.AddedObject(values: [])
      }
      return EntityMapping.AddedObject(
        values: members.compactMap { member in
          guard let value = argument(member.value, "the value of “\(member.name)”") else {
            return nil
          }
          return (Located(member.name, at: member.nameLocation), value)
        })
    }
  }

  /// An expression, an object with an expression and a direction, or a list of these.
  mutating func sortKeys(_ node: JSONNode?) -> [PropertyMapping.SortKey] {
    guard let node else { return [] }
    if case .array(let elements) = node.kind { return elements.compactMap { sortKey($0) } }
    return sortKey(node).map { [$0] } ?? []
  }

  private mutating func sortKey(_ node: JSONNode) -> PropertyMapping.SortKey? {
    if case .string(let text) = node.kind {
      var key = PropertyMapping.SortKey(text)
      key.value.location = node.location
      return key
    }
    guard
      let members = decoding.members(
        of: node, "an element of “sortedBy”", known: MappingDocument.sortKeyMembers,
        required: ["value"]), let value = located(members["value"], "“value”")
    else { return nil }
    var key = PropertyMapping.SortKey(
      value.value, isAscending: decoding.bool(members["ascending"], "“ascending”") ?? true)
    key.value = value
    return key
  }
}
