internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Relationships whose values select the objects that they refer to.
extension PassRun {
  /// Evaluates them for each object that the mapping reads, if an interrupted run has not done so.
  func select(_ work: MappingRun) throws {
    let mapping = work.mappingPlan
    let chosen = mapping.bound.relationships.compactMap { relationship in
      relationship.selection.map { (name: relationship.relationship.name, $0) }
    }
    let cursorName = "selected:\(mapping.index)"
    let done = try store.journal.state(cursorName)?.integer ?? .min
    guard !chosen.isEmpty, done < .max, let read = try readByRows(mapping) else { return }
    var lists: [BoundList] = []
    var values: [BoundExpression] = []
    let choices = chosen.map { name, selection -> Choice in
      switch selection.choice {
      case .objects(let list):
        lists.append(list)
        return .objects(name, list: lists.count - 1)
      case .added(let count): return .all(name, count: count)
      case .addedBy(let value, let known):
        values.append(value)
        return .equal(name, value: values.count - 1, among: known.map(\.distinctForm))
      }
    }
    let reader = try ListReader(
      of: mapping.name, read, filter: mapping.bound.filter, lists: lists, values: values,
      step: step, rowsOfRange: limits.rows)
    try reader.start(after: done)
    defer { reader.stop() }
    var rows = BlockInsert(
      into: Journal.Table.selected.name, SelectedObjects.columns, on: store.connection)
    var isAtEnd = false
    var cursor = done
    while !isAtEnd {
      try batch(work, cursor: nil) {
        let found = try reader.runBatch(
          rows: limits.rows, shouldStop: { control.shouldStop }
        ) { object in
          for choice in choices {
            try choice.forEach(of: object, reader) { position, target, sortKeys in
              var row: [Value] = [
                .integer(Int64(mapping.index)), .text(choice.name), .integer(object.key),
                .integer(position), target,
              ]
              let absent = Journal.sortColumns.count - sortKeys.count
              row += sortKeys + Array(repeating: .null, count: absent)
              try rows.append(row)
            }
          }
        }
        try rows.flush()
        isAtEnd = found.isAtEnd
        cursor = isAtEnd ? Int64.max : found.lastKey ?? cursor
        try store.journal.setState(cursorName, .integer(cursor))
        return 0
      }
    }
  }
}

/// One relationship whose value selects objects.
private enum Choice {
  /// The objects of a list, by its number.
  case objects(String, list: Int)
  /// All objects that an `add` mapping lists.
  case all(String, count: Int)
  /// Those of them for which a value, by its number, is equal.
  case equal(String, value: Int, among: [Value])

  var name: String {
    switch self {
    case .objects(let name, _), .all(let name, _), .equal(let name, _, _): name
    }
  }

  func forEach(
    of object: SourceObject, _ reader: ListReader,
    _ body: (_ position: Int64, _ target: Value, _ sortKeys: [Value]) throws -> Void
  ) throws {
    var position: Int64 = 0
    func give(_ target: Value, _ sortKeys: [Value]) throws {
      guard !target.isNull else { return }
      try body(position, target, sortKeys)
      position += 1
    }
    switch self {
    case .objects(_, let list): try reader.forEachElement(ofList: list, of: object, give)
    case .all(_, let count): for place in 0..<count { try give(.integer(Int64(place)), []) }
    case .equal(_, let number, let known):
      let value = try reader.value(number, of: object).distinctForm
      for (place, other) in known.enumerated() where !value.isNull && value == other {
        try give(.integer(Int64(place)), [])
      }
    }
  }
}
