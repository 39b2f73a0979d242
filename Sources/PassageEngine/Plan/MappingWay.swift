internal import PassageMappings

/// How the objects of an entity mapping are made, as far as models, mapping models and policies tell:
/// the same for every store.
struct MappingWay: Sendable {
  let lane: MappingPlan.Lane
  /// Why its objects are not made page by page, but in ``lane``; `nil` when they are.
  let pageObstacle: String?
  /// The hooks of the mapping's policy; empty without a policy.
  let hooks: Set<MigrationHook>
  /// Whether its policy makes objects besides those at their source objects' keys, and nothing of
  /// objects that were made before.
  let makesFurtherObjects: Bool

  /// Finds the way of every entity mapping of a step, in the order of passes.
  ///
  /// - Parameters:
  ///   - hooks: returns the hooks of an entity mapping's policy.
  ///   - products: returns what its policy makes.
  static func all(
    of passes: [BoundMapping], lanes: LaneChoice, hooks: (EntityMapping) -> Set<MigrationHook>,
    products: (EntityMapping) -> PolicyProducts
  ) -> [MappingWay] {
    passes.flatMap { pass in
      zip(pass.entityMappings, lanes.obstaclesToPages(in: pass, products: products)).map {
        bound, obstacle in
        MappingWay(
          lane: lanes.lane(of: bound), pageObstacle: obstacle,
          hooks: hooks(bound.mapping),
          makesFurtherObjects: products(bound.mapping) == .furtherObjects)
      }
    }
  }
}
