internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageValues

/// What a sweep by pages has counted of the links of one relationship.
struct LinkCount {
  /// Links that led to no object of the destination.
  var unmatched: Int64 = 0
  /// Those of them that lead to no object of the source either.
  var dangling: Int64 = 0

  /// Links that led to an object that was not migrated.
  var emptied: Int64 { max(0, unmatched - dangling) }
}

extension Journal {
  private static func name(
    _ what: String, _ relationship: BoundRelationship, _ mappingPlan: MappingPlan
  ) -> String {
    "swept:\(what):\(mappingPlan.index):\(relationship.relationship.name)"
  }

  /// What the sweep of a pass counted of a mapping's links; `nil` when no sweep by pages wrote them.
  ///
  /// - Throws: `RUN-063` when it cannot have counted that.
  func linkCount(
    of relationship: BoundRelationship, in mappingPlan: MappingPlan
  ) throws -> LinkCount? {
    let journal = of(pass: mappingPlan.passIndex)
    guard
      let unmatched = try journal.count(Self.name("unmatched", relationship, mappingPlan)),
      let dangling = try journal.count(Self.name("dangling", relationship, mappingPlan))
    else { return nil }
    return LinkCount(unmatched: unmatched, dangling: dangling)
  }

  func setLinkCount(
    _ count: LinkCount, of relationship: BoundRelationship, in mappingPlan: MappingPlan
  ) throws {
    try setState(
      Self.name("unmatched", relationship, mappingPlan), .integer(count.unmatched))
    try setState(Self.name("dangling", relationship, mappingPlan), .integer(count.dangling))
  }
}
