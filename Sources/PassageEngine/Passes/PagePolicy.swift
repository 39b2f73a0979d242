internal import PassageModels
internal import PassagePages
internal import PassageStores
internal import PassageValues

/// The objects that a policy makes of the rows of a ``RowCopier``: at most one of each, at its key.
///
/// A policy's object is written after the hook has returned. The row is copied, with the cells in
/// their places that the policy has set or that the mapping's program cannot make.
final class PagePolicy {
  private let context: MigrationContext
  private let defaults: DefaultObjects
  private let shape: DestinationShape
  /// By position, whether an object must have the attribute.
  private let isRequired: [Bool]
  /// A bit for each attribute.
  private let positions: UInt64
  /// The attributes that an object must have, and that the mapping leaves without a value.
  private let missing: [Int]
  /// The cells of the program that count values that became nil.
  private let watched: [Int]
  /// Their positions, a bit for each; no cell is deferred when there are too many for the word.
  private let watchedPositions: UInt64
  /// The row of which an object is made.
  var row: CurrentRow
  /// The policy's instance for the current batch.
  private(set) var instance: any MigrationPolicy

  /// - Parameters:
  ///   - attributes: by position, the attributes' columns.
  ///   - copy: the program, with a cell for each attribute at its position.
  ///   - deferred: how its cells are made outside a copy.
  init(
    _ policy: any MigrationPolicy, _ context: MigrationContext, _ row: CurrentRow,
    _ shape: DestinationShape, attributes: [ColumnProgram.Column], copy: CopyProgram,
    deferred: DeferredDefaults?
  ) {
    instance = policy
    self.row = row
    self.context = context
    defaults = context.defaults
    self.shape = shape
    isRequired = shape.attributes.map { !$0.isOptional }
    positions = isRequired.indices.reduce(0) { $0 | 1 << UInt64($1) }
    missing = attributes.indices.filter { position in
      guard case .constant(.null) = attributes[position].cell else { return false }
      return !shape.attributes[position].isOptional
    }
    watched = attributes.indices.filter { !copy.cells[$0].watched.isEmpty }
    watchedPositions = watched.reduce(0) { $0 | 1 << UInt64($1) }
    defaults.deferCells(deferred)
  }

  /// Whether there may still be objects whose cells are to be made of the row.
  var isRowLent: Bool { defaults.deferredCount != 0 }

  func beginBatch() throws {
    if let fresh = try context.policyOfBatch() { instance = fresh }
  }

  /// Calls the policy for a source object, and writes the object that it makes.
  ///
  /// - Parameters:
  ///   - row: the identity of the object's row.
  ///   - policy: the ``instance``.
  /// - Returns: what became of it.
  @inline(__always)
  func make(
    of object: SourceObject, _ row: ObjectIdentifier, _ copier: RowCopier,
    by policy: some MigrationPolicy
  ) throws -> MigrationContext.Outcome {
    context.begin(object.key, row)
    defaults.deferredCount = 0
    defer { context.end() }
    try policy.createDestinationInstances(for: object, in: context)
    try context.checkNeeds()
    guard var made = context.takeKept() else {
      countLosses(0, copier)
      return context.outcome
    }
    let isOfRow = made.isMade(of: row)
    let copied = isOfRow ? made.deferred : 0
    countLosses(copied, copier)
    let isSole = isKnownUniquelyReferenced(&made)
    try write(made, isSole: isSole, copied, copier)
    defaults.takeBack(consume made, isOfRow: isOfRow)
    return context.outcome
  }

  func end() {
    defaults.deferCells(nil)
    context.mapper = nil
  }

  /// Copies the row.
  ///
  /// - Parameters:
  ///   - isSole: whether nobody else has the object.
  ///   - copied: the positions of the cells that are made of the row, a bit for each.
  @inline(__always)
  private func write(
    _ object: DestinationObject.Storage, isSole: Bool, _ copied: UInt64, _ copier: RowCopier
  ) throws {
    if copied == 0 {
      for position in isRequired.indices {
        try replace(position, of: object, isSole: isSole, copier)
      }
    } else {
      for position in missing where copied >> UInt64(position) & 1 == 1 { note(missing: position) }
      // There are no more attributes than bits.
      var others = positions & ~copied
      // Most policies set one attribute.
      if others & (others &- 1) == 0, others != 0 {
        let position = others.trailingZeroBitCount
        if case .integer(let number) = object.cells[position] {
          return try copier.append(replacing: position, with: number)
        }
      }
      while others != 0 {
        let position = others.trailingZeroBitCount
        others &= others &- 1
        // The most frequent values are not copied.
        if case .integer(let number) = object.cells[position] {
          try copier.replace(position, with: number)
        } else {
          try replace(position, of: object, isSole: isSole, copier)
        }
      }
    }
    try copier.append()
  }

  @inline(__always)
  private func replace(
    _ position: Int, of object: DestinationObject.Storage, isSole: Bool, _ copier: RowCopier
  ) throws(ConvertedValue) {
    if isSole, !object.isDeferred(position) {
      try object.lendCell(position) { value throws(ConvertedValue) in
        try replace(position, with: value, copier)
      }
    } else {
      try replace(position, with: object.value(at: position), copier)
    }
  }

  private func replace(
    _ position: Int, with value: Value, _ copier: RowCopier
  ) throws(ConvertedValue) {
    if isRequired[position], value.isNull { note(missing: position) }
    try copier.replace(position, with: value)
  }

  /// Counts what default objects lose whose cells are not copied: like every lane, a value that
  /// becomes nil counts once for each default object, even if the policy replaces it.
  @inline(__always)
  private func countLosses(_ copied: UInt64, _ copier: RowCopier) {
    let count = defaults.deferredCount
    if count > 1 || count == 1 && watchedPositions & ~copied != 0 {
      countLosses(of: count, copied, copier)
    }
  }

  @inline(never)
  private func countLosses(of count: Int, _ copied: UInt64, _ copier: RowCopier) {
    for position in watched {
      let isCopied = copied >> UInt64(position) & 1 == 1
      for _ in 0..<(isCopied ? count - 1 : count) { copier.countLoss(ofCell: position) }
    }
  }

  @inline(never)
  private func note(missing position: Int) {
    context.missing.note(
      entity: shape.entity.name, attribute: shape.attributes[position].name)
  }
}
