internal import PassageMappings
internal import PassageModels
internal import PassageStores

/// A to-one relationship that is migrated by arithmetic. The related object's new key is its old
/// key plus the offset of the one entity mapping that migrates it, so the link is written in the
/// same sweep as the attributes.
struct ForeignKeyRule {
  /// The destination columns.
  let columns: [LinkColumn]

  init(columns: [LinkColumn]) { self.columns = columns }

  /// - Parameters:
  ///   - relationship: the bound relationship; its path must be one to-one relationship.
  ///   - mappingPlan: the entity mapping that contains it.
  ///   - family: how the keys of the related objects are moved; `nil` when they must be looked up.
  /// - Returns: `nil` when the links must be looked up instead, because a related object may be
  ///   filtered out, left to a policy, or migrated more than once, or because links that have a place may become
  ///   empty.
  init?(
    _ relationship: BoundRelationship, of mappingPlan: MappingPlan, family: FamilyShift?
  ) {
    guard !mappingPlan.isMadeByPolicy, !mappingPlan.isRelatedByPolicy, relationship.path.count == 1,
      relationship.selection == nil, let family, let sourceEntity = mappingPlan.read,
      let destinationEntity = mappingPlan.destination,
      case .foreignKey(let column, let entityColumn, let orderColumn)? =
        destinationEntity.storage(ofRelationship: relationship.relationship.name),
      case .foreignKey(let sourceColumn, let sourceEntityColumn, let sourceOrderColumn)? =
        sourceEntity.storage(ofRelationship: relationship.path[0].name)
    else { return nil }
    let (shifts, numbers, isExhaustive) = (family.shifts, family.numbers, family.isExhaustive)
    // Which entity an object has become is known by the number beside its key. A link with a number of none leads
    // to none.
    let isByNumber = entityColumn != nil && numbers.count > 1
    // An object whose link becomes empty keeps no place.
    if orderColumn != nil, !isExhaustive || isByNumber { return nil }
    guard let number = numbers.first?.destination else { return nil }
    var cells: [(String, LinkCell<String>)] = []
    if isExhaustive, !isByNumber, let common = family.common {
      cells.append((column, .shifted(column: sourceColumn, common)))
    } else if let sourceEntityColumn {
      cells.append((column, .byEntity(column: sourceColumn, number: sourceEntityColumn, shifts)))
    } else {
      return nil
    }
    if let entityColumn {
      if numbers.count == 1, isExhaustive {
        cells.append((entityColumn, .entityNumber(column: sourceColumn, number)))
      } else if let sourceEntityColumn {
        cells.append((entityColumn, .entityNumberByEntity(number: sourceEntityColumn, numbers)))
      } else {
        return nil
      }
    }
    if let orderColumn {
      let place = sourceOrderColumn.map { PlaceColumn.column($0) } ?? .key
      cells.append((orderColumn, .place(column: sourceColumn, place)))
    }
    columns = cells.map { LinkColumn(name: $0, cell: .link($1)) }
  }
}
