internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores

/// Gives the objects of ordered relationships places of their own where the migration brought several objects to
/// one place: lists of objects that became one were laid over each other, and an object that became several gave
/// all of them its place. Without places of their own, Core Data has them in any order.
///
/// Objects at one place come in the order of their keys, which is that in which they were made. Lists that have no
/// such places are left as they are.
struct OrderedLinks {
  /// Where the places are that may have several objects.
  private let places: [Place]

  init(of step: StepPlan) {
    var found: [Place] = []
    for entity in step.destination.entities {
      guard let layout = step.destinationLayout.entity(named: entity.name) else { continue }
      for relationship in entity.relationships
      where relationship.isToMany && relationship.isOrdered && !relationship.isTransient {
        let storage = layout.storage(ofRelationship: relationship.name)
        guard let place = Place(storage), !found.contains(place),
          Self.isMappedInBothDirections(relationship, storage, step)
            || Self.mayHaveSeveral(relationship, of: entity, step)
        else { continue }
        found.append(place)
      }
    }
    places = found
  }

  /// Whether each place has one object.
  var isEmpty: Bool { places.isEmpty }

  /// - Complexity: O(n log n) for n links of a relationship whose places may have several objects.
  func separate(_ connection: Connection) throws {
    for place in places { try separate(place, connection) }
  }

  /// Whether a relationship is its own inverse, so that a list may have links that were found from its objects.
  private static func isMappedInBothDirections(
    _ relationship: Relationship, _ storage: RelationshipStorage?, _ step: StepPlan
  ) -> Bool {
    guard case .joinTable(let table, _, _, _)? = storage, table.isSelfInverse else { return false }
    return step.relationships.contains { $0.relationship.relationship == relationship }
  }

  /// Whether two objects may have come to one place of a relationship.
  private static func mayHaveSeveral(
    _ relationship: Relationship, of entity: Entity, _ step: StepPlan
  ) -> Bool {
    let owners = step.destinationLayout.entity(named: entity.name)?.familyNumbers
    let members = step.destinationLayout.entity(
      named: relationship.destinationEntityName)?.familyNumbers
    var sources: Set<String> = []
    return step.mappingPlans.contains { mappingPlan in
      guard let number = mappingPlan.destination?.number else { return false }
      if owners?.contains(number) == true, mappingPlan.hasAssociations { return true }
      guard members?.contains(number) == true || mappingPlan.isMadeByPolicy else { return false }
      let isFurther = mappingPlan.source.map { !sources.insert($0.name).inserted } ?? false
      return mappingPlan.hasAssociations || isFurther
    }
  }

  /// Where the places of a relationship are.
  private struct Place: Equatable {
    let table: String
    /// The columns with the owner's key and with the place.
    let owner: String
    let order: String

    /// - Returns: `nil` if the relationship has no places.
    init?(_ storage: RelationshipStorage?) {
      switch storage {
      case .inverseForeignKey(let table, let column, _, let order?)?:
        (self.table, owner, self.order) = (table, column, order)
      case .joinTable(let table, let column, _, let order?)?:
        (self.table, owner, self.order) = (table.name, column, order)
      default: return nil
      }
    }
  }

  private func separate(_ place: Place, _ connection: Connection) throws {
    let table = "main.\(place.table.quotedIdentifier)"
    let (owner, order) = (place.owner.quotedIdentifier, place.order.quotedIdentifier)
    // The row number of a table with keys is the key; in a join table it follows the pairs' order.
    try connection.execute("DROP TABLE IF EXISTS temp.passage_places")
    try connection.execute(
      "CREATE TEMP TABLE passage_places (holder INTEGER PRIMARY KEY, place INTEGER)")
    try connection.execute(
      "INSERT INTO temp.passage_places SELECT rowid, "
        + "1024 * row_number() OVER (PARTITION BY \(owner) ORDER BY \(order), rowid) FROM \(table) "
        + "WHERE \(owner) IN (SELECT \(owner) FROM \(table) WHERE \(owner) IS NOT NULL "
        + "GROUP BY \(owner), \(order) HAVING count(*) > 1)")
    try RowPatch(connection: connection).set(
      [(place.order, "l.place")], in: place.table, from: "temp.passage_places AS l",
      where: "\(table).rowid = l.holder")
    try connection.execute("DROP TABLE temp.passage_places")
  }
}
