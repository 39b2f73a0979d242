internal import PassageExpressions
internal import PassageValues

/// The objects of one source entity in ascending key order, read batch by batch.
///
/// Names are resolved to positions once. Cells that expressions or policies read are decoded into a
/// ``SourceObject``; the others are copied without being decoded. ``FilteredReader`` reads through
/// SQL, ``SweptReader`` from pages.
protocol RowSource: AnyObject {
  /// An object to read into.
  func makeObject() -> SourceObject

  /// The part of the mapping's filter that is still to be evaluated, in memory.
  var filter: BoundPredicate? { get }

  /// Whether all objects have been read.
  var isAtEnd: Bool { get }

  /// The names of the decoded cells.
  var shape: ObjectShape { get }

  /// The position of a cell for ``append(_:to:)`` and ``value(ofColumn:)``.
  func column(_ path: ResolvedKeyPath) -> Int

  /// The position of a column of the entity's own row, for the same methods.
  func column(named name: String) -> Int

  /// Starts after a source key.
  func start(after key: Int64) throws

  /// Starts a batch of objects.
  func beginBatch() throws

  /// Reads the next object of the batch.
  ///
  /// - Returns: the bytes of text and blobs that were decoded; `nil` when the batch must end here.
  func next(into object: inout SourceObject) throws -> Int?

  /// Ends a batch of objects.
  ///
  /// - Parameters:
  ///   - lastKey: the last object read; `nil` when there was none.
  ///   - count: the number of objects read.
  ///   - isRangeDone: whether ``next(into:)`` returned `nil`.
  /// - Returns: the last completed key, and the number of objects that the source filtered out.
  func endBatch(
    lastKey: Int64?, count: Int, isRangeDone: Bool
  ) throws -> (lastKey: Int64?, filtered: Int)

  /// Copies a cell of the current object unchanged.
  ///
  /// - Returns: whether it is NULL.
  func append(_ column: Int, to batch: inout RowBatch) throws -> Bool

  /// A cell of the current object, decoded.
  func value(ofColumn column: Int) -> Value

  /// Ends the reads.
  func stop()
}

/// What is read of each object.
struct SourceCells {
  /// The cells that expressions read.
  var decoded: [ResolvedKeyPath]
  /// The cells that are copied unchanged.
  var copied: [ResolvedKeyPath] = []
  /// Columns of the entity's own row that hold parts of links.
  var columns: [String] = []
  /// Whether every stored attribute and to-one relationship is also decoded, because a policy may
  /// read any.
  var readsEverything = false
}
