internal import PassageMappings
internal import PassageModels
internal import PassageValues

/// Makes the objects that a mapping would make without its policy, for a policy that changes or
/// inserts them.
final class DefaultObjects {
  /// How an object is made.
  private final class Recipe {
    let shape: DestinationShape
    let mapper: RowMapper
    /// The identity of the shape of the objects that the mapper reads.
    let sourceShape: ObjectIdentifier
    /// The mapped attributes: their positions in the mapping and in the shape.
    let mapped: [(attribute: Int, position: Int)]
    /// Those whose cells are not deferred.
    let immediate: [(attribute: Int, position: Int)]
    let hasImmediate: Bool
    /// How deferred cells are made, where rows are copied; `nil` where every cell is made at once.
    let deferred: DeferredDefaults?

    init(
      _ mapping: MappingPlan, _ shape: DestinationShape, _ mapper: RowMapper,
      _ deferred: DeferredDefaults?
    ) {
      self.shape = shape
      self.mapper = mapper
      sourceShape = ObjectIdentifier(mapper.shape)
      self.deferred = deferred
      mapped = mapping.bound.attributes.enumerated().compactMap { index, attribute in
        shape.position(of: attribute.attribute.name).map { (attribute: index, position: $0) }
      }
      immediate = mapped.filter { deferred?.contains($0.position) != true }
      hasImmediate = !immediate.isEmpty
    }
  }

  private let mappingPlan: MappingPlan
  private let step: StepBasis
  /// Computes values; `nil` outside the phase in which objects are made.
  var mapper: RowMapper? { didSet { forgetRecipe() } }
  private var deferred: DeferredDefaults? { didSet { forgetRecipe() } }
  /// Made when the first object is.
  private var recipe: Recipe?
  /// Whether the recipe makes an object of a row and nothing else.
  private var isAllOfRow = false
  /// The object inserted last, whose memory is used for the next one.
  private var spare: DestinationObject.Storage?
  /// Whether ``spare`` was made by the recipe, of a row and nothing else, and nobody else has it: then
  /// the next object is the same, of another row.
  private var spareIsOfRow = false
  /// For objects that do not come from the hook; `nil` when the pass is over.
  private var arranger: SourceArranger?
  /// Whether the pass is over, and a policy has kept its context.
  private var isOver = false
  /// How many objects with deferred cells have been made of the current row, without the one that was
  /// taken back.
  var deferredCount = 0

  /// - Parameter passes: for reading the source.
  init(mappingPlan: MappingPlan, step: StepBasis, passes: PassLookup) {
    self.mappingPlan = mappingPlan
    self.step = step
    arranger = SourceArranger(mappingPlan: mappingPlan, step: step, passes: passes)
  }

  /// Called when the pass is over. No object is made any more.
  func close() {
    mapper = nil
    deferred = nil
    spare = nil
    arranger = nil
    isOver = true
  }

  /// Lets cells be made by the copy of a row.
  func deferCells(_ deferred: DeferredDefaults?) { self.deferred = deferred }

  /// Takes an object back that was written, to use its memory for the next one unless the policy
  /// has kept it.
  func reuse(_ object: DestinationObject.Storage?) {
    spare = object
    spareIsOfRow = false
  }

  /// Like ``reuse(_:)``, for an object that was copied from a row. The memory of the row can be used for
  /// the next one too; an object that the policy has kept keeps its row.
  ///
  /// - Parameter isOfRow: whether it was made of the row, by the recipe.
  @inline(__always)
  func takeBack(_ object: consuming DestinationObject.Storage, isOfRow: Bool) {
    guard isKnownUniquelyReferenced(&object) else { return reuse(nil) }
    object.clearDeferred()
    if isOfRow { deferredCount -= 1 }
    spare = consume object
    spareIsOfRow = isOfRow && isAllOfRow
  }

  /// Makes an object.
  ///
  /// - Parameter copied: the identity of the row that is being copied, if there is one.
  /// - Throws: ``PolicyMistake`` when the source object is of another entity, or lacks a cell.
  func make(of source: SourceObject, _ copied: ObjectIdentifier?) throws -> DestinationObject {
    if spareIsOfRow, let copied, source.hasRow(copied), let found = spare.take() {
      found.deferCells(of: source, copied)
      deferredCount += 1
      return DestinationObject(found)
    }
    let recipe = try currentRecipe()
    guard ObjectIdentifier(source.shape) == recipe.sourceShape else {
      return try makeArranged(of: source, recipe.mapper.shape)
    }
    let storage = storage(recipe.shape)
    if let deferred = recipe.deferred, let copied, source.hasRow(copied) {
      if recipe.hasImmediate { try fill(storage, recipe.immediate, of: source, recipe.mapper) }
      storage.deferCells(deferred, of: source, copied)
      deferredCount += 1
    } else {
      for index in storage.cells.indices { storage.cells[index] = recipe.shape.defaults[index] }
      try fill(storage, recipe.mapped, of: source, recipe.mapper)
    }
    return DestinationObject(storage)
  }

  /// Makes an object of a source object whose cells are not those that the mapping reads, or are in
  /// another order.
  @inline(never)
  private func makeArranged(
    of source: SourceObject, _ shape: ObjectShape
  ) throws -> DestinationObject {
    guard let arranger else { throw makesNone }
    return try make(of: arranger.arrange(source, as: shape), nil)
  }

  private func fill(
    _ storage: DestinationObject.Storage, _ mapped: [(attribute: Int, position: Int)],
    of source: SourceObject, _ mapper: RowMapper
  ) throws {
    for index in mapped.indices {
      storage.cells[mapped[index].position] = try mapper.value(mapped[index].attribute, of: source)
    }
  }

  /// The storage of an object with any cells.
  private func storage(_ shape: DestinationShape) -> DestinationObject.Storage {
    if isKnownUniquelyReferenced(&spare), let found = spare.take(), found.shape === shape {
      found.clearDeferred()
      return found
    }
    return DestinationObject.Storage(shape: shape, cells: shape.defaults)
  }

  private func currentRecipe() throws -> Recipe {
    if let recipe { return recipe }
    guard let mapper, let entity = mappingPlan.bound.destination,
      let shape = step.shape(ofEntity: entity.name)
    else { throw makesNone }
    let made = Recipe(mappingPlan, shape, mapper, deferred)
    recipe = made
    isAllOfRow = made.deferred != nil && !made.hasImmediate
    return made
  }

  private func forgetRecipe() {
    recipe = nil
    isAllOfRow = false
    spareIsOfRow = false
  }

  private var makesNone: PolicyMistake {
    isOver
      ? .passIsOver(mappingPlan.name)
      : PolicyMistake("“\(mappingPlan.name)” creates no objects in this pass")
  }
}
