internal import PassageExpressions
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The first object of each value, in memory, as long as there is room.
package struct KnownValues {
  /// The bytes that the values may take.
  @TaskLocal package static var limit = 16 << 20
  /// What each takes besides its own bytes.
  private static let overhead = 120

  private let offset: Int64
  private var first: [Value: Int64] = [:]
  private var byteCount = 0

  /// - Parameter offset: what is added to the key of a source object for that of its object.
  init(offset: Int64) { self.offset = offset }

  /// Associates each object of a query with the first of equal value.
  ///
  /// - Parameters:
  ///   - rows: keys in ascending order, and values.
  ///   - bindings: the query's parameters.
  ///   - pause: is called between some rows.
  /// - Returns: false when the values took too much memory; only some objects are associated then.
  mutating func associate(
    _ rows: Statement, _ bindings: [Value], _ writer: AssociationWriter, entity: Int,
    pause: () throws -> Void
  ) throws -> Bool {
    var writer = writer
    try rows.bind(bindings)
    defer { rows.reset() }
    var count = 0
    while try rows.step() {
      count += 1
      if count & 0xFFF == 0 { try pause() }
      // Equal is what SQLite groups.
      let value = rows.value(at: 1).distinctForm
      guard !value.isNull else { continue }
      let key = rows.integer(at: 0)
      if let kept = first[value] {
        try writer.append(source: key, destination: kept &+ offset, entity: Int64(entity))
        continue
      }
      byteCount += Self.overhead + value.byteCount
      guard byteCount <= Self.limit else { return false }
      first[value] = key
    }
    try writer.flush()
    return true
  }
}

extension Value {
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .malformedText(let bytes), .blob(let bytes): bytes.count
    case .null, .integer, .real: 0
    }
  }
}
