internal import PassageMappings
internal import PassageModels
internal import PassageValues

/// Makes the objects that a mapping would make without its policy, for a policy that changes or
/// inserts them.
final class DefaultObjects {
  /// The destination entity's attributes, and the position of each mapped one.
  private struct Target {
    let shape: DestinationShape
    let positions: [Int?]
  }

  private let mappingPlan: MappingPlan
  private let step: StepRun
  private let mapper: RowMapper?
  /// Resolved when the first object is made.
  private var resolved: Target?
  /// The cells of the object inserted last, reused for the next one.
  var spareCells: [Value] = []

  /// - Parameter mapper: computes values; `nil` outside the phase in which objects are made.
  init(mappingPlan: MappingPlan, step: StepRun, mapper: RowMapper?) {
    self.mappingPlan = mappingPlan
    self.step = step
    self.mapper = mapper
  }

  func make(of source: SourceObject) throws -> DestinationObject {
    guard let mapper else { throw makesNone }
    let target = try target()
    let shape = target.shape
    var cells = spareCells
    spareCells = []
    if cells.count == shape.defaults.count {
      for index in cells.indices { cells[index] = shape.defaults[index] }
    } else {
      cells = shape.defaults
    }
    for (index, position) in target.positions.enumerated() {
      guard let position else { continue }
      cells[position] = try mapper.value(index, of: source)
    }
    return DestinationObject(shape: shape, key: 0, values: cells)
  }

  private func target() throws -> Target {
    if let resolved { return resolved }
    guard let entity = mappingPlan.bound.destination, let shape = step.shape(ofEntity: entity.name)
    else {
      throw makesNone
    }
    let found = Target(
      shape: shape,
      positions: mappingPlan.bound.attributes.map { shape.position(of: $0.attribute.name) })
    resolved = found
    return found
  }

  private var makesNone: PolicyMistake {
    PolicyMistake("“\(mappingPlan.name)” creates no objects in this pass")
  }
}
