internal import PassageExpressions
internal import PassageModels

extension Entity {
  /// The indexes that Core Data archives: one for each attribute with the old flag, then the named
  /// ones.
  var archivedIndexes: [Entity.Index] {
    let names = Set(indexes.map(\.name))
    return attributes.filter { $0.isIndexed && !names.contains($0.name) }.map {
      Entity.Index(name: $0.name, elements: [Entity.Index.Element(propertyName: $0.name)])
    } + indexes
  }
}

extension ModelArchiver {
  /// An index; `nil` for one over an expression, and one whose condition is not understood: how
  /// these are archived is not known.
  mutating func fetchIndex(
    _ index: Entity.Index, of entity: KeyedArchiver.Reference
  ) -> PropertyList? {
    guard index.elements.allSatisfy({ $0.expression == nil }) else { return nil }
    var condition = KeyedArchiver.null
    if let text = index.partialPredicate {
      guard let archived = predicate(text) else { return nil }
      condition = archived
    }
    let place = archiver.reserve()
    let elements = index.elements.map { element in
      archiver.add(
        .fetchIndexElement,
        [
          PropertyList.Member("NSPropertyName", archiver.text(element.propertyName)),
          PropertyList.Member(
            "NSFetchIndexElementType", .integer(element.kind == .rtree ? 1 : 0)),
          PropertyList.Member("NSAscending", .bool(element.isAscending)),
          PropertyList.Member("NSFetchIndexDescription", place.value),
        ])
    }
    archiver.fill(
      place, .fetchIndex,
      [
        PropertyList.Member("NSIndexName", archiver.text(index.name)),
        PropertyList.Member("NSIndexElements", archiver.list(elements)),
        PropertyList.Member("NSEntity", entity.value),
        PropertyList.Member("NSPartialIndexPredicate", condition),
      ])
    return place.value
  }

  /// The indexes that older frameworks know too: those over several attributes, all ascending. In
  /// the stores seen, an index with a relationship is not among them.
  func compoundIndexes(_ indexes: [Entity.Index], of entity: Entity) -> [[String]] {
    indexes.filter { index in
      index.elements.count > 1 && index.partialPredicate == nil
        && index.elements.allSatisfy {
          $0.isAscending && $0.kind == .binary
            && model.attribute($0.propertyName, of: entity) != nil
        }
    }.map { $0.elements.map(\.propertyName) }
  }

  /// An archived predicate; `nil` for one that cannot be read or has no archived form.
  mutating func predicate(_ text: String) -> PropertyList? {
    guard let predicate = try? FormatParser.predicate(text) else { return nil }
    return predicate.archived(in: &archiver)
  }
}

extension KeyedArchiver.Class {
  fileprivate static let fetchIndex = Self("NSFetchIndexDescription")
  fileprivate static let fetchIndexElement = Self("NSFetchIndexElementDescription")
}
