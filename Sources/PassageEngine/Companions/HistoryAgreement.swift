internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassageStores

/// Decides whether the persistent history is still correct after a migration.
///
/// Its changes name an object by the number of its entity and its key. So the history is correct in
/// the new store exactly when each entity it names has the same number there and its objects keep
/// their keys through every step. In every other case the history is left out; nothing is guessed.
struct HistoryAgreement {
  /// An entity of the source that keeps its number and keys, and the entity it becomes at the end.
  private struct Path {
    var entity: Entity
    var end: Entity
    var endModel: Model
  }

  private var paths: [Int64: Path] = [:]
  private var obstacles: [Int64: String] = [:]
  private let source: Model?

  init(steps: [PlannedStep], policies: PolicyRegistry) {
    source = steps.first?.source
    guard let first = steps.first, let last = steps.last else { return }
    let ways = steps.map { StepWays($0, policies: policies) }
    for layout in StoreLayout(model: first.source).entities {
      guard let entity = first.source.entity(named: layout.name) else { continue }
      let number = Int64(layout.number)
      var name = layout.name
      for way in ways {
        switch way.destination(of: name) {
        case .success(let next): name = next
        case .failure(let obstacle):
          obstacles[number] = "“\(layout.name)” \(obstacle.reason)"
        }
        if obstacles[number] != nil { break }
      }
      if obstacles[number] == nil, let end = last.destination.entity(named: name) {
        paths[number] = Path(entity: entity, end: end, endModel: last.destination)
      }
    }
  }

  /// Why the history cannot be carried over; `nil` when it can be.
  ///
  /// - Parameter changes: the changes in the source's history; `nil` when their form is unknown.
  func obstacle(to changes: [HistoryTables.Changes]?) -> String? {
    guard let changes else { return "the format of its changes is not known" }
    for change in changes {
      if let obstacle = obstacles[change.number] { return obstacle }
      if paths[change.number] == nil {
        return "\(change.count) changes are of an entity with the number \(change.number), which "
          + "the source's model does not have"
      }
    }
    return nil
  }

  /// The entities that have updates whose mask of changed properties was written for properties
  /// other than those of the new model.
  func staleMasks(_ changes: [HistoryTables.Changes]) -> [(entity: String, count: Int64)] {
    changes.compactMap { change in
      guard change.maskCount > 0, let path = paths[change.number], let source else { return nil }
      let before = Self.properties(of: path.entity, in: source)
      let after = Self.properties(of: path.end, in: path.endModel)
      return before == after ? nil : (path.end.name, change.maskCount)
    }
  }

  private static func properties(of entity: Entity, in model: Model) -> Set<String> {
    Set(
      model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name))
  }
}

/// What one step does with the entity numbers and keys of each entity's objects.
private struct StepWays {
  struct Obstacle: Error {
    var reason: String
  }

  private var destinations: [String: Result<String, Obstacle>] = [:]

  init(_ step: PlannedStep, policies: PolicyRegistry) {
    let source = StoreLayout(model: step.source)
    let destination = StoreLayout(model: step.destination)
    var mappingPlans: [MappingPlan] = []
    for (pass, mapping) in step.passes.enumerated() {
      for bound in mapping.entityMappings {
        mappingPlans.append(
          MappingPlan(
            index: mappingPlans.count, passIndex: pass, bound: bound,
            source: bound.source.flatMap { source.entity(named: $0.name) },
            elements: bound.elements.map {
              ElementsPlan(
                $0, filter: nil, mapping: mappingPlans.count, source: source)
            },
            destination: bound.destination.flatMap { destination.entity(named: $0.name) },
            way: MappingWay(
              lane: .set, pageObstacle: "nothing is made", hooks: policies.hooks(of: bound.mapping),
              makesFurtherObjects: false)))
      }
    }
    // One key per table is enough to see which mappings into a table get keys above those of
    // others.
    let extents = Dictionary(
      source.tables.map { ($0.name, Keyspace.Extent(smallest: 1, largest: 1)) },
      uniquingKeysWith: { first, _ in first })
    let isAssigned = (try? Keyspace.assign(&mappingPlans, extents: extents)) != nil
    for entity in source.entities {
      let takers = mappingPlans.filter { $0.source?.name == entity.name && $0.destination != nil }
      destinations[entity.name] = .failure(Obstacle(reason: "is not migrated"))
      guard let taker = takers.first, let made = taker.destination else { continue }
      let reason: String? =
        if takers.count > 1 {
          "is read by several entity mappings"
        } else if taker.isMadeByPolicy {
          "is migrated by a policy"
        } else if taker.hasAssociations {
          "does not become one object each"
        } else if made.number != entity.number {
          "has the number \(entity.number) in the source and \(made.number) as “\(made.name)”"
        } else if !isAssigned || taker.keyOffset != 0 {
          "gets new keys as “\(made.name)”"
        } else {
          nil
        }
      destinations[entity.name] =
        reason.map { .failure(Obstacle(reason: $0)) } ?? .success(made.name)
    }
  }

  func destination(of entity: String) -> Result<String, Obstacle> {
    destinations[entity] ?? .failure(Obstacle(reason: "is not migrated"))
  }
}
