internal import Passage

/// The mapping models of one migration in order, with every model they name.
struct MigrationRoute {
  var source: Model
  var destination: Model
  var models: [Model]
  var mappings: [MappingModel]

  /// Whether one inferred mapping model leads from the source to the destination.
  var isOneInference: Bool { mappings.count == 1 && mappings.allSatisfy(\.isInferred) }

  /// Joins mapping models, and infers the way where two of them do not meet.
  ///
  /// - Parameters:
  ///   - versions: the series, in order.
  ///   - first: the position of the store's model.
  ///   - last: the position of the model to reach.
  ///   - given: the mapping models in their order.
  ///   - isStepwise: whether what is inferred goes through every version.
  /// - Throws: `Diagnostics` with what cannot be inferred.
  init(
    through versions: [Model], from first: Int, to last: Int, given: [MappingModel] = [],
    isStepwise: Bool = false
  ) throws {
    source = versions[first]
    destination = versions[last]
    models = versions
    mappings = []
    var position = first
    func infer(to target: Int) throws {
      guard target != position else { return }
      // Back to an older version there is only the straight way.
      var stops = isStepwise && target > position ? Array((position + 1)...target) : [target]
      // Versions that differ in nothing that is hashed are one version to a store.
      stops.removeAll {
        versions[$0].versionHashes == versions[$0 - 1].versionHashes && isStepwise && $0 > 0
      }
      for stop in stops {
        mappings.append(try InferredMapping.infer(from: versions[position], to: versions[stop]))
        position = stop
      }
    }
    for mapping in given {
      if let before = mappings.last, before.source.value == mapping.source.value,
        before.destination.value == mapping.destination.value
      {
        // Another pass of the same step.
      } else if let start = versions.firstIndex(where: { $0.name == mapping.source.value }) {
        try infer(to: start)
      }
      mappings.append(mapping)
      position =
        versions.firstIndex { $0.name == mapping.destination.value } ?? position
    }
    try infer(to: last)
  }
}
