internal import PassageMappings
internal import PassageValues

/// Arranges the cells of source objects as their mapping reads them, for objects that a policy has read
/// again or put together itself.
final class SourceArranger {
  private let mappingPlan: MappingPlan
  private let step: StepBasis
  private let passes: PassLookup
  /// Reads what objects lack; made when the first object lacks something.
  private var reader: SourceReader?

  /// - Parameter passes: for reading the source.
  init(mappingPlan: MappingPlan, step: StepBasis, passes: PassLookup) {
    self.mappingPlan = mappingPlan
    self.step = step
    self.passes = passes
  }

  /// The same object with the cells of another shape. Those that it lacks are read from the source, at
  /// its key.
  ///
  /// - Parameter shape: of the objects that the mapping reads.
  /// - Throws: ``PolicyMistake`` for an object of another entity, and for one that lacks a cell and is
  ///   not in the source.
  func arrange(_ source: SourceObject, as shape: ObjectShape) throws -> SourceObject {
    try step.check(source, for: mappingPlan)
    let positions = shape.names.map { source.shape.position(of: $0) }
    let stored = positions.contains(nil) ? try read(source.key) : nil
    var values: [Value] = []
    values.reserveCapacity(positions.count)
    for (name, position) in zip(shape.names, positions) {
      if let position {
        values.append(source.value(at: position))
      } else if let value = stored?[name] {
        values.append(value)
      } else {
        throw PolicyMistake(
          "the object of “\(source.shape.entityName)” that was given to “\(mappingPlan.name)” has no "
            + "“\(name)”, and the source has no “\(shape.entityName)” with the key \(source.key)")
      }
    }
    return SourceObject(shape: shape, key: source.key, values: values)
  }

  /// The object of the mapping's source entity at a key, with all that the mapping reads; `nil` when
  /// there is none.
  private func read(_ key: Int64) throws -> SourceObject? {
    guard let reader = try currentReader() else { return nil }
    defer { reader.stop() }
    try reader.start(key...key)
    var object = reader.makeObject()
    return try reader.next(into: &object) == nil ? nil : object
  }

  private func currentReader() throws -> SourceReader? {
    if let reader { return reader }
    guard
      let read = ReadRows(
        of: mappingPlan, step: step.plan, connection: try passes.source(), schema: "")
    else { return nil }
    let bound = mappingPlan.bound
    let paths = RowMapper.keyPaths(
      of: bound, positions: Set(bound.attributes.indices), filter: bound.filter)
    let made = try SourceReader(
      query: read.query(), conditions: [],
      cells: SourceCells(decoded: paths, readsEverything: true), connection: read.connection)
    reader = made
    return made
  }
}
