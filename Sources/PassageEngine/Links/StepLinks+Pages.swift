internal import PassageMappings
internal import PassageStores

/// The order in which a pass makes objects page by page.
extension StepLinks {
  /// The entity mappings of a pass whose objects are made before those that SQL makes: those of one
  /// destination table after each other, in the order of their keys, and the tables in an order in
  /// which as many links as possible lead to a table before.
  func pageMappings(ofPass pass: Int) -> [MappingPlan] {
    let late = Set(latePageTables(ofPass: pass).joined().map(\.index))
    var tables = pageTables(ofPass: pass).filter { table in
      !table.contains { late.contains($0.index) }
    }
    var order: [MappingPlan] = []
    while !tables.isEmpty {
      let waiting = Set(tables.joined().map(\.index))
      let ready = tables.firstIndex { table in
        links(of: table).joined().allSatisfy { !waiting.contains($0.index) }
      }
      order += tables.remove(at: ready ?? 0)
    }
    return order
  }

  /// The entity mappings of a pass whose objects are made page by page after objects that SQL makes,
  /// because links lead to these: those of one destination table together.
  ///
  /// No mapping is moved past a policy, which may ask what earlier mappings have made.
  func latePageTables(ofPass pass: Int) -> [[MappingPlan]] {
    let all = step.mappingPlans(ofPass: pass)
    let tables = pageTables(ofPass: pass).filter { table in
      guard let first = table.map(\.index).min(), let last = table.map(\.index).max() else {
        return false
      }
      return all.allSatisfy { mappingPlan in
        let isAmong = mappingPlan.destination?.tableName == table[0].destination?.tableName
        let isBetween = first < mappingPlan.index && mappingPlan.index < last
        return (!isAmong && !isBetween) || mappingPlan.pageObstacle == nil
      } && table.allSatisfy { $0.bound.mapping.policy == nil }
    }
    var waited = Set(all.filter { $0.pageObstacle != nil }.map(\.index))
    var late: [[MappingPlan]] = []
    while let next = tables.first(where: { table in
      !table.contains { waited.contains($0.index) }
        && links(of: table).contains { candidates in
          candidates.contains { waited.contains($0.index) }
            && candidates.allSatisfy { $0.index < table.map(\.index).min() ?? 0 }
        }
    }) {
      late.append(next)
      waited.formUnion(next.map(\.index))
    }
    return late
  }

  /// By destination table, in the order of keys.
  private func pageTables(ofPass pass: Int) -> [[MappingPlan]] {
    var tables: [[MappingPlan]] = []
    for mappingPlan in step.pageMappings(ofPass: pass) {
      if tables.last?.first?.destination?.tableName == mappingPlan.destination?.tableName {
        tables[tables.count - 1].append(mappingPlan)
      } else {
        tables.append([mappingPlan])
      }
    }
    return tables
  }

  /// The candidates of each link that the sweep of a table may write.
  private func links(of table: [MappingPlan]) -> [[MappingPlan]] {
    table.flatMap { swept[$0.index].map(\.candidates) }
  }
}
