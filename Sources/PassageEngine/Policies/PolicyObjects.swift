internal import PassageModels
internal import PassageStores
internal import PassageValues

/// The destination objects of a running pass, as policies write and read them, with one writer per
/// entity.
final class PolicyObjects {
  /// Makes the door to a table: for columns with the same value in every row, and the others.
  typealias MakeSink = (
    _ table: String, _ constants: [(column: String, value: Value)], _ columns: [String]
  ) throws -> any RowSink

  private let step: StepBasis
  private let store: PassStore
  private let makeSink: MakeSink
  private var writers: [String: ObjectWriter] = [:]
  /// The writer used last, because most policies make objects of one entity.
  private var lastWriter: ObjectWriter?

  /// - Parameter makeSink: makes the doors through which objects are written.
  init(step: StepBasis, store: PassStore, makeSink: @escaping MakeSink) {
    self.step = step
    self.store = store
    self.makeSink = makeSink
  }

  /// Writes all buffered objects to the tables.
  ///
  /// - Parameter count: receives the number of objects of an entity that were made since the last
  ///   call.
  func flush(count: (_ entity: String, _ objects: Int64) -> Void) throws {
    for (entity, writer) in writers {
      try writer.flush()
      let objects = writer.takeCount()
      if objects > 0 { count(entity, objects) }
    }
  }

  /// Reads an object of the pass; buffered objects are not found.
  func read(_ reference: ObjectReference) throws -> DestinationObject? {
    try writer(ofEntity: reference.entityName).read(key: reference.key)
  }

  /// The writer of objects of a shape.
  ///
  /// - Throws: ``PolicyMistake`` for objects of another step, whose attributes are not those of this one.
  func writer(of shape: DestinationShape) throws -> ObjectWriter {
    if let lastWriter, lastWriter.shape === shape { return lastWriter }
    let writer = try writer(ofEntity: shape.entity.name)
    guard writer.shape.isLike(shape) else { throw PolicyMistake.isOfOtherStep(shape.entity.name) }
    lastWriter = writer
    return writer
  }

  func writer(ofEntity name: String) throws -> ObjectWriter {
    if let writer = writers[name] { return writer }
    guard let shape = step.shape(ofEntity: name), !shape.entity.isAbstract,
      let layout = step.plan.destinationLayout.entity(named: name)
    else { throw PolicyMistake("the destination model has no concrete entity “\(name)”") }
    let writer = try ObjectWriter(
      shape: shape, layout: layout, connection: store.connection, makeSink: makeSink)
    writers[name] = writer
    return writer
  }
}
