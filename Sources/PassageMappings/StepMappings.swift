internal import PassageDiagnostics

/// The entity mappings of a step, among which relationships look for the objects they lead to.
///
/// They are arranged once, because every relationship asks.
struct StepMappings {
  /// Those of the mapping model that is checked come first.
  let all: [EntityMapping]
  /// The names of the source entities of which some mapping makes objects.
  let migratedEntities: Set<String>
  private let positionsByName: [String: Int]

  init(_ own: [EntityMapping], others: [EntityMapping]) {
    all = own + others
    migratedEntities = Set(
      all.lazy.filter { $0.destinationEntityName != nil }.compactMap(\.sourceEntityName?.value))
    positionsByName = Dictionary(
      all.enumerated().lazy.map { ($1.name.value, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The first mapping with a name.
  ///
  /// - Complexity: O(1).
  subscript(_ name: String) -> EntityMapping? { positionsByName[name].map { all[$0] } }
}
