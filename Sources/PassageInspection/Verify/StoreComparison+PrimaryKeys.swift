internal import PassageEngine
internal import PassageStores

extension StoreComparison {
  /// Compares the rows of `Z_PRIMARYKEY`, from which Core Data takes the numbers of entities and the keys of
  /// new objects. Not their names: after a migration in place by Core Data, these may be old ones.
  ///
  /// The largest key that a store has assigned may be any that is not below those of its objects. What
  /// is wrong in the expected store too is not a difference.
  func comparePrimaryKeys(
    _ layout: StoreLayout, _ foundLayout: StoreLayout, _ report: inout ComparisonReport
  ) throws {
    let table = BookkeepingTable.primaryKeys.rawValue
    let count = Int64(layout.entities.count)
    let rows = (
      expected: try keyRows(of: expected, count: count), found: try keyRows(of: found, count: count)
    )
    var part = ComparisonReport.Part(name: table, isJoinTable: false)
    part.expectedDigest = nil
    part.foundDigest = nil
    for entity in layout.entities {
      let number = Int64(entity.number)
      guard let right = rows.expected[number] else { continue }
      part.expectedCount += 1
      part.foundCount += rows.found[number] == nil ? 0 : 1
      guard
        let difference = try difference(
          right, rows.found[number], entity, foundLayout.entity(named: entity.name))
      else { continue }
      part.differenceCount += 1
      if report.differences.count < limit { report.differences.append(difference) }
    }
    if part.differenceCount > 0 { report.parts.append(part) }
  }

  private func difference(
    _ right: OpenStore.PrimaryKeyRow, _ row: OpenStore.PrimaryKeyRow?, _ entity: EntityLayout,
    _ foundEntity: EntityLayout?
  ) throws -> ComparisonReport.Difference? {
    var difference = ComparisonReport.Difference(
      kind: .changed, name: BookkeepingTable.primaryKeys.rawValue, key: [right.number],
      properties: [])
    guard let row else {
      difference.kind = .missing
      return difference
    }
    var values: [ComparisonReport.Difference.Values] = []
    if row.parentNumber != right.parentNumber {
      values.append(
        ComparisonReport.Difference.Values(
          property: "Z_SUPER", expected: "\(right.parentNumber)", found: "\(row.parentNumber)"))
    }
    if entity.parentNumber == 0, let foundEntity {
      let largest = try found.largestKey(table: foundEntity.tableName)
      if try row.largestKey < largest
        && right.largestKey >= expected.largestKey(table: entity.tableName)
      {
        values.append(
          ComparisonReport.Difference.Values(
            property: "Z_MAX", expected: "at least \(largest)", found: "\(row.largestKey)"))
      }
    }
    guard !values.isEmpty else { return nil }
    difference.properties = values.map(\.property)
    difference.values = showsValues ? values : []
    return difference
  }

  /// - Parameter count: that of the model's entities.
  private func keyRows(
    of store: OpenStore, count: Int64
  ) throws -> [Int64: OpenStore.PrimaryKeyRow] {
    Dictionary(
      try store.primaryKeys(numbered: 0...count).map { ($0.number, $0) },
      uniquingKeysWith: { first, _ in first })
  }
}
