internal import PassageMappings
internal import PassageModels

/// The links of an entity mapping's objects that leave by one path of the source, and the relationships that
/// are made from them. A link is kept if one of these keeps it.
struct LinksOfPath {
  let path: [Relationship]
  /// Those that refer to what became of all objects at the end of the path.
  private(set) var whole: [BoundRelationship] = []
  /// Those whose value selects some.
  private(set) var selected: [BoundRelationship] = []

  static func all(of mappingPlan: MappingPlan) -> [LinksOfPath] {
    var all: [LinksOfPath] = []
    for relationship in mappingPlan.bound.relationships {
      let path = relationship.selection?.path ?? relationship.path
      guard !path.isEmpty else { continue }
      let place = all.firstIndex { $0.path == path } ?? all.count
      if place == all.count { all.append(LinksOfPath(path: path)) }
      if relationship.selection?.isWhole == false {
        all[place].selected.append(relationship)
      } else {
        all[place].whole.append(relationship)
      }
    }
    return all
  }

  var relationships: [BoundRelationship] { whole + selected }
}
