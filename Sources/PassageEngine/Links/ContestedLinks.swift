internal import PassageMappings
internal import PassageModels
internal import PassageStores

/// To-many relationships that several entity mappings write into one column of the related objects, which no
/// mapping of these writes: an object may be in the lists of two objects, although its row has place for one.
///
/// Where the related objects' own mapping has the to-one side too, both sides are compared (``BothSides``). Where a
/// policy decides what objects are related to, the last one written takes effect.
struct ContestedLinks {
  private struct Place: Hashable {
    let table: String
    let column: String
  }

  private var links: Set<SameObjectLinks.Link> = []

  /// - Parameter lookups: the relationship mappings that are looked up.
  init(_ lookups: [MappedRelationship], of step: StepPlan) {
    var byPlace: [Place: [MappedRelationship]] = [:]
    for item in lookups {
      guard
        case .inverseForeignKey(let table, let column, _, _)? = item.mappingPlan.destination?
          .storage(ofRelationship: item.relationship.relationship.name)
      else { continue }
      byPlace[Place(table: table, column: column), default: []].append(item)
    }
    byPlace = byPlace.filter { $0.value.count > 1 }
    if byPlace.isEmpty { return }
    for item in step.relationships where !item.relationship.relationship.isToMany {
      guard let destination = item.mappingPlan.destination,
        case .foreignKey(let column, _, _)? = destination.storage(
          ofRelationship: item.relationship.relationship.name)
      else { continue }
      byPlace[Place(table: destination.tableName, column: column)] = nil
    }
    for items in byPlace.values where !items.contains(where: \.mappingPlan.isRelatedByPolicy) {
      for item in items {
        links.insert(SameObjectLinks.Link(item.relationship, of: item.mappingPlan))
      }
    }
  }

  func contains(_ item: MappedRelationship) -> Bool {
    links.contains(SameObjectLinks.Link(item.relationship, of: item.mappingPlan))
  }
}
