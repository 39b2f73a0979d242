internal import Passage

/// The policy of a new package: the entity mapping that calls it, and its name.
struct NewPolicy {
  /// The position of the step.
  let step: Int
  /// The position of the entity mapping in the step's mapping model.
  private let position: Int
  /// The name of the Swift type.
  let name: String
  let sourceEntity: String
  let destinationEntity: String
  /// Whether only this entity mapping makes objects of the destination entity.
  let isOnlyMaker: Bool

  /// Chooses the entity mapping that needs code most: one with a place that must be decided before
  /// one that changes properties before one that copies, in the newest step that has one.
  ///
  /// - Returns: `nil` if no entity mapping makes an object of each object.
  init?(among mappings: [MappingModel]) {
    var best: (rank: Int, step: Int, position: Int)?
    for (step, mapping) in mappings.enumerated() {
      for (position, entity) in mapping.entityMappings.enumerated() {
        guard entity.sourceEntityName != nil, entity.destinationEntityName != nil,
          entity.forEach == nil, entity.merge == nil
        else { continue }
        let rank = !entity.draftMarks.isEmpty ? 2 : entity.kind == .copy ? 0 : 1
        guard let other = best, (other.rank, other.step) >= (rank, step) else {
          best = (rank, step, position)
          continue
        }
      }
    }
    guard let best else { return nil }
    let mapping = mappings[best.step]
    let chosen = mapping.entityMappings[best.position]
    guard let source = chosen.sourceEntityName?.value,
      let destination = chosen.destinationEntityName?.value
    else { return nil }
    step = best.step
    position = best.position
    sourceEntity = source
    destinationEntity = destination
    name = Self.typeName(for: destination)
    isOnlyMaker =
      mapping.entityMappings.count { $0.destinationEntityName?.value == destination } == 1
  }

  /// An entity's name is a name in Swift too; with another ending it is no keyword.
  private static func typeName(for entity: String) -> String {
    let start = entity.prefix(1).uppercased() + entity.dropFirst()
    // The policy's own protocol has this name.
    return start == "Migration" ? "MigrationEntityPolicy" : "\(start)Policy"
  }

  /// The name of the entity mapping.
  func entityMappingName(in mapping: MappingModel) -> String {
    mapping.entityMappings[position].name.value
  }

  /// Whether the entity mapping must have a policy.
  func isCustom(in mapping: MappingModel) -> Bool {
    mapping.entityMappings[position].kind == .custom
  }

  /// The mapping model with the policy.
  func named(in mapping: MappingModel) -> MappingModel {
    var mapping = mapping
    mapping.entityMappings[position].policy = .init(name: name)
    // A transform mapping with a policy is what Core Data calls a custom one.
    if mapping.entityMappings[position].kind == .transform {
      mapping.entityMappings[position].kind = .custom
    }
    return mapping
  }
}
