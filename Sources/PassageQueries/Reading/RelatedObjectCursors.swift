package import PassageExpressions
package import PassageModels
package import PassageSQLite
package import PassageStores
package import PassageValues

/// Reads the objects that to-many relationships lead to, for evaluation in memory.
///
/// Each collection has one statement. If keys are requested in ascending order, as in a sweep over
/// a table, one query reads the related objects of a whole window of keys. If they are requested in
/// any other order, one key is looked up at a time. No row is kept in memory.
package final class RelatedObjectCursors: RelatedObjectReader {
  private let cursors: [RelatedObjectCursor]

  /// - Parameters:
  ///   - collections: the collections, in the order of the numbers by which they are requested.
  ///   - connection: a connection that has the store attached under `schema`, or the store's own if
  ///     `schema` is empty.
  package init(
    _ collections: [RelatedObjects], model: Model, layout: StoreLayout, schema: String = "",
    links: LinkTables = LinkTables(), connection: Connection
  ) throws {
    cursors = try collections.map {
      try RelatedObjectCursor(
        $0, model: model, layout: layout, schema: schema, links: links, connection: connection)
    }
  }

  package func forEachObject(
    of collection: Int, relatedTo key: Int64, once: Bool,
    _ body: (SourceObject) throws -> Bool
  ) throws {
    guard cursors.indices.contains(collection) else { return }
    try cursors[collection].forEachObject(relatedTo: key, once: once, body)
  }

  /// Ends the reads of the statements.
  package func stop() { for cursor in cursors { cursor.stop() } }
}

/// The statement of one collection.
private final class RelatedObjectCursor {
  /// The maximum number of keys that are read with one query.
  private static let largestWindow: Int64 = 1_024

  private let statement: Statement?
  /// Returns each object once for one start key; `nil` when ``statement`` already does so.
  private let onceStatement: Statement?
  private var object: SourceObject
  /// The keys that the running query covers; `nil` when no query is running.
  private var window: ClosedRange<Int64>?
  /// The number of keys that the next query covers.
  private var windowLength: Int64 = 1
  /// The key that was requested last.
  private var lastKey: Int64?
  /// The start key of the statement's current row; `nil` before the first row and after the last.
  private var currentKey: Int64?

  init(
    _ related: RelatedObjects, model: Model, layout: StoreLayout, schema: String,
    links: LinkTables, connection: Connection
  ) throws {
    let names = related.keyPaths.map(\.name)
    object = SourceObject(
      shape: ObjectShape(entityName: related.entityName, names: names), key: 0,
      values: names.map { _ in .null })
    guard
      let rows = RelatedRows(
        related, model: model, layout: layout, schema: schema, links: links, alias: "r")
    else {
      statement = nil
      onceStatement = nil
      return
    }
    let values = zip(related.keyPaths, rows.cells).map { path, cell in
      if case .relationship = path.leaf { LinkNumber.value(of: cell) } else { cell }
    }
    let columns = ([rows.startKey, rows.key] + values).joined(separator: ", ")
    let order = ([rows.startKey] + rows.order).joined(separator: ", ")
    statement = try connection.prepare(
      "SELECT \(columns) FROM \(rows.from) WHERE \(rows.startKey) BETWEEN ? AND ? ORDER BY \(order)"
    )
    let cells = ([rows.key] + values).joined(separator: ", ")
    onceStatement = try rows.once.map {
      try connection.prepare("SELECT \(cells) FROM \($0.from) WHERE \($0.before)?\($0.after)")
    }
  }

  func forEachObject(
    relatedTo key: Int64, once: Bool, _ body: (SourceObject) throws -> Bool
  ) throws {
    if once, let onceStatement {
      return try forEachReachedObject(from: key, onceStatement, body)
    }
    guard let statement else { return }
    try find(key, statement)
    defer { lastKey = key }
    while let current = currentKey, current == key {
      object.key = statement.integer(at: 1)
      _ = statement.read(into: &object.values, from: 2)
      guard try body(object) else { return }
      try advance(statement)
    }
  }

  /// Calls `body` once for each object, however many paths lead to it from the key.
  private func forEachReachedObject(
    from key: Int64, _ statement: Statement, _ body: (SourceObject) throws -> Bool
  ) throws {
    defer { statement.reset() }
    try statement.bind(key, at: 1)
    while try statement.step() {
      object.key = statement.integer(at: 0)
      _ = statement.read(into: &object.values, from: 1)
      guard try body(object) else { return }
    }
  }

  /// Moves the statement to the first row of a key.
  private func find(_ key: Int64, _ statement: Statement) throws {
    let isAhead = lastKey.map { key > $0 } ?? true
    if isAhead, let window, window.contains(key) {
      while let current = currentKey, current < key { try advance(statement) }
      return
    }
    // The window is doubled if the sweep has reached its end, and is one key after a jump.
    let isNext = isAhead && (window.map { key - $0.upperBound <= windowLength } ?? false)
    windowLength = isNext ? min(Self.largestWindow, windowLength * 2) : 1
    let (end, overflow) = key.addingReportingOverflow(windowLength - 1)
    let window = key...(overflow ? .max : end)
    statement.reset()
    try statement.bind(window.lowerBound, at: 1)
    try statement.bind(window.upperBound, at: 2)
    self.window = window
    try advance(statement)
  }

  private func advance(_ statement: Statement) throws {
    currentKey = nil
    while currentKey == nil, try statement.step() {
      // A damaged store may have links that are not whole numbers. They come from no object.
      currentKey = statement.value(at: 0).integer
    }
  }

  func stop() {
    statement?.reset()
    onceStatement?.reset()
    window = nil
    currentKey = nil
    lastKey = nil
  }
}
