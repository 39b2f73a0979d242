internal import PassageModels

/// After which end Core Data names the join table between an entity and itself, and in which order
/// it makes the join tables of one entity.
///
/// It walks through a dictionary of the entity's properties, so the answer follows from
/// ``DictionaryOrder``. The rule fits every pair in the stores seen, of which 25 are different. No
/// other was left to try it on.
struct ReflexiveNaming {
  /// The entry of a relationship's `userInfo` that tells after which of its two ends the table is
  /// named: for a model of which a store proves it.
  static let userInfoKey = "joinTable"

  /// The stored properties of the entity, inherited ones too, in order.
  private let properties: [String]
  /// The names of Core Data's own columns in the entity's table.
  private let ownColumns: [String]
  /// Where each property is met on the walk that decides on owners, worked out once for all pairs; empty
  /// for an entity with more properties than any dictionary seen.
  private let places: [String: Int]

  /// What the second dictionary has besides. Two to four fit the stores seen; what they are is not
  /// known.
  private static let surplus = 2

  /// - Parameters:
  ///   - properties: the names of the entity's stored properties, inherited ones too.
  ///   - foreignKeys: the columns of its to-one relationships, inherited ones too.
  init(properties: Set<String>, foreignKeys: [ForeignKeyColumns]) {
    let sorted = properties.sorted(by: isOrderedByCodeUnits)
    let ownColumns =
      ["_pk", "_ent", "_opt"] + foreignKeys.map { "_\($0.key)" }
      + foreignKeys.compactMap { $0.order.map { "_\($0)" } }
    self.properties = sorted
    self.ownColumns = ownColumns
    guard let slots = DictionaryOrder.slots(for: sorted.count),
      let grown = DictionaryOrder.slots(
        for: sorted.count + ownColumns.count + Self.surplus)
    else {
      places = [:]
      return
    }
    let met = DictionaryOrder.enumerated(sorted, slots: slots)
    // Of a pair, the end that is met first is the owner; of a dictionary that grew, the last.
    places = Dictionary(
      uniqueKeysWithValues: zip(slots == grown ? met : met.reversed(), 0...))
  }

  /// After which of a relationship and its inverse, both of this entity, the table is named.
  ///
  /// - Returns: the second one in alphabetical order for an entity with more properties than any
  ///   dictionary seen.
  /// - Complexity: O(1).
  func owner(of first: String, _ second: String) -> String {
    switch (places[first], places[second]) {
    case (let one?, let other?): one < other ? first : second
    case (_?, nil): first
    case (nil, _?): second
    case (nil, nil): isOrderedByCodeUnits(first, second) ? second : first
    }
  }

  /// Relationships of the entity in the order in which their join tables are made.
  ///
  /// - Parameter names: in alphabetical order, which they keep where the order is not known.
  func making(_ names: [String]) -> [String] {
    let keys = properties + ownColumns
    guard names.count > 1, let slots = DictionaryOrder.slots(for: keys.count) else { return names }
    let wanted = Set(names)
    return DictionaryOrder.enumerated(keys, slots: slots).filter(wanted.contains)
  }
}
