internal import PassageMappings
internal import PassageStores

/// One entity mapping prepared for one source store: its tables, entity numbers and keys. It does not
/// change, so that whoever takes part in a step shares it.
final class MappingPlan: Sendable {
  /// The lane an entity mapping takes.
  enum Lane: Hashable {
    /// Batched `INSERT … SELECT`.
    case set
    /// Object by object, for the reason given.
    case row(reason: String)
  }

  /// The mapping's index in the step, which association rows use.
  let index: Int
  let passIndex: Int
  let bound: BoundEntityMapping
  /// The entity of the source objects; `nil` for an add mapping.
  let source: EntityLayout?
  /// The lists of whose elements objects are made; `nil` when objects are made of source objects.
  let elements: ElementsPlan?
  /// `nil` for a remove mapping.
  let destination: EntityLayout?
  private let way: MappingWay
  /// Destination key = source key + offset, for the first object made from each source object.
  let keyOffset: Int64
  /// The range of keys that these first objects can have; `nil` when the source table is empty.
  let keyRange: ClosedRange<Int64>?

  init(
    index: Int, passIndex: Int, bound: BoundEntityMapping, source: EntityLayout?,
    elements: ElementsPlan?, destination: EntityLayout?, way: MappingWay, keyOffset: Int64 = 0,
    keyRange: ClosedRange<Int64>? = nil
  ) {
    self.index = index
    self.passIndex = passIndex
    self.bound = bound
    self.source = source
    self.elements = elements
    self.destination = destination
    self.way = way
    self.keyOffset = keyOffset
    self.keyRange = keyRange
  }

  /// The same with these keys for its objects.
  func with(keyOffset: Int64, keyRange: ClosedRange<Int64>?) -> MappingPlan {
    MappingPlan(
      index: index, passIndex: passIndex, bound: bound, source: source, elements: elements,
      destination: destination, way: way, keyOffset: keyOffset, keyRange: keyRange)
  }

  var name: String { bound.name }

  var lane: Lane { way.lane }

  /// Why its objects are not made page by page, but in ``lane``; `nil` when they are.
  var pageObstacle: String? { way.pageObstacle }

  /// The hooks of the mapping's policy; empty without a policy.
  var hooks: Set<MigrationHook> { way.hooks }

  /// Whether its policy makes objects besides those at their source objects' keys, and nothing of
  /// objects that were made before.
  var makesFurtherObjects: Bool { way.makesFurtherObjects }

  /// The entity of what is read to make an object: of the elements, or of the source objects.
  var read: EntityLayout? { elements?.entity ?? source }

  /// Whether a source object may have become an object that is not at its key plus the offset: the
  /// journal's associations say which.
  var hasAssociations: Bool {
    isMadeByPolicy || bound.merge != nil || elements != nil || !bound.addedObjects.isEmpty
  }

  /// Whether each object that it makes is known to be of one source object, at that object's key plus the offset.
  /// Only of such objects something can be quarantined.
  var isTraceable: Bool { !hasAssociations }

  /// The number under which the journal has the associations of what is read with the objects that
  /// it became; `nil` when it has none.
  var associationsOfRead: Int? {
    if elements != nil { return bound.merge == nil ? nil : -1 - index }
    return hasAssociations ? index : nil
  }

  /// Whether a policy decides what becomes of each source object.
  var isMadeByPolicy: Bool { hooks.contains(.createDestinationInstances) }

  /// Whether a policy decides what each destination object is related to.
  var isRelatedByPolicy: Bool { hooks.contains(.createRelationships) }

  /// Whether a policy decides about each object, by either.
  var isDecidedByPolicy: Bool { isMadeByPolicy || isRelatedByPolicy }

  /// Whether every object of the source entity becomes exactly one destination object, at its key
  /// plus the offset. Relationships to such objects are arithmetic.
  var isTotal: Bool {
    source != nil && destination != nil && bound.filter == nil && !hasAssociations
  }
}

extension MappingPlan {
  /// Whether the keys of its objects, and their entity, are also those of another mapping's: that one makes
  /// objects of the same entity from another source entity of the same table.
  func sharesKeys(with other: MappingPlan) -> Bool {
    keyRange != nil && keyRange == other.keyRange && keyOffset == other.keyOffset
      && destination?.number == other.destination?.number
      && source?.tableName == other.source?.tableName
  }

  /// Groups the mappings that follow each other and share a sweep by pages: those of one source and
  /// destination table with one key offset.
  ///
  /// - Parameter mappingPlan: returns the plan of an item.
  static func sweeps<Item>(
    _ items: [Item], _ mappingPlan: (Item) -> MappingPlan
  ) -> [[Item]] {
    items.reduce(into: []) { groups, item in
      let own = mappingPlan(item)
      if let other = groups.last?.first.map(mappingPlan), other.keyOffset == own.keyOffset,
        other.destination?.tableName == own.destination?.tableName,
        other.source?.tableName == own.source?.tableName
      {
        groups[groups.count - 1].append(item)
      } else {
        groups.append([item])
      }
    }
  }
}
