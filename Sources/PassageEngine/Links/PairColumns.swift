internal import PassageMappings
internal import PassageModels
internal import PassageStores

/// The columns of a many-to-many relationship in the join tables of the source and of the
/// destination. “Own” is the end of the objects that have the relationship.
struct PairColumns {
  /// What a column of the destination's join table holds.
  enum Role {
    case ownKey
    case relatedKey
    /// A place in an order, which a column of the source's join table holds.
    case place(source: String)
    case none
  }

  let source: JoinTable
  let destination: JoinTable
  let sourceOwn: String
  let sourceRelated: String
  let own: String
  let related: String
  private let sourceOrder: String?
  private let order: String?

  /// - Returns: `nil` for a relationship that is not many-to-many in both models, or is its own
  ///   inverse.
  init?(_ relationship: BoundRelationship, from: EntityLayout, to: EntityLayout) {
    guard relationship.path.count == 1,
      case .joinTable(let source, let sourceOwn, let sourceRelated, let sourceOrder)? =
        from.storage(ofRelationship: relationship.path[0].name),
      case .joinTable(let destination, let own, let related, let order)? =
        to.storage(ofRelationship: relationship.relationship.name),
      !source.isSelfInverse, !destination.isSelfInverse
    else { return nil }
    self.source = source
    self.destination = destination
    self.sourceOwn = sourceOwn
    self.sourceRelated = sourceRelated
    self.own = own
    self.related = related
    self.sourceOrder = sourceOrder
    self.order = order
  }

  /// The roles of the columns of the destination's join table, in its order.
  ///
  /// A place comes from the source if the source is ordered at that end too, and otherwise follows
  /// the keys of the other end.
  var roles: [Role] {
    let sourceFarOrder =
      source.owner.column == sourceOwn ? source.other.orderColumn : source.owner.orderColumn
    let farOrder =
      destination.owner.column == own
      ? destination.other.orderColumn : destination.owner.orderColumn
    return destination.columns.map { column in
      switch column {
      case own: .ownKey
      case related: .relatedKey
      case order: .place(source: sourceOrder ?? sourceRelated)
      case farOrder: .place(source: sourceFarOrder ?? sourceOwn)
      default: .none
      }
    }
  }
}
