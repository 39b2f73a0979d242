internal import PassageMappings
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The elements of an entity mapping with `forEach`: they are listed in a table of the journal before
/// objects are made of them, and what each source object became is noted afterwards.
extension PassRun {
  private func cursorName(_ mapping: MappingPlan) -> String { "elements:cursor:\(mapping.index)" }

  private func listedName(_ mapping: MappingPlan) -> String { "elements:listed:\(mapping.index)" }

  /// Lists the elements, if an interrupted run has not done so.
  func listElements(_ work: MappingRun, _ elements: ElementsPlan) throws {
    guard try store.journal.state(listedName(work.mappingPlan)) == nil else { return }
    let table = elements.entity.table(inSchema: "")
    try makeElements(work, table: table)
    let done = try store.journal.state(cursorName(work.mappingPlan))?.integer ?? .min
    guard
      let read = ReadRows(
        of: work.mappingPlan, readsElements: false, step: step.plan,
        connection: try lookup.source(), schema: "")
    else { return }
    let reader = try ListReader(
      of: work.mappingPlan.name, read, filter: elements.filter, lists: [elements.bound.list],
      step: step, rowsOfRange: limits.rows)
    try reader.start(after: done)
    defer { reader.stop() }
    let number = Value.integer(Int64(elements.entity.number))
    var rows = BlockInsert(
      into: table,
      [
        "Z_PK", "Z_ENT", ElementsPlan.sourceColumn, ElementsPlan.elementColumn,
        ElementsPlan.indexColumn,
      ], on: store.connection)
    let destination = work.mappingPlan.destination?.tableName ?? ""
    var isAtEnd = false
    while !isAtEnd {
      try batch(work, cursor: nil) {
        var empty: Int64 = 0
        let found = try reader.runBatch(
          rows: limits.rows, shouldStop: { control.shouldStop }
        ) { object in
          var index: Int64 = 0
          try reader.forEachElement(ofList: 0, of: object) { element, _ in
            try rows.append([
              .integer(try keys.next(table: destination)), number, .integer(object.key), element,
              .integer(index),
            ])
            index += 1
          }
          if index == 0 { empty += 1 }
        }
        try rows.flush()
        work.context.account.read += Int64(found.read)
        work.context.account.filtered += Int64(found.filtered)
        work.context.account.removed += empty
        if let key = found.lastKey {
          try store.journal.setState(cursorName(work.mappingPlan), .integer(key))
        }
        isAtEnd = found.isAtEnd
        if isAtEnd { try store.journal.setState(listedName(work.mappingPlan), 1) }
        return Int64(found.read)
      }
    }
  }

  /// Makes the table of the elements, if an interrupted run has not done so.
  private func makeElements(_ work: MappingRun, table: String) throws {
    guard try store.journal.state(cursorName(work.mappingPlan)) == nil else { return }
    try batch(work, cursor: nil) {
      try store.journal.makeElements(
        table: table,
        columns: (ElementsPlan.sourceColumn, ElementsPlan.elementColumn, ElementsPlan.indexColumn))
      try store.journal.setState(cursorName(work.mappingPlan), .integer(.min))
      return 0
    }
  }

  /// Notes what each source object became, after objects have been made of the elements.
  ///
  /// - Complexity: O(n) for n elements, which are read in the order of their source objects.
  func associateElements(_ work: MappingRun, _ elements: ElementsPlan) throws {
    let mapping = work.mappingPlan
    let merged = mapping.associationsOfRead.map {
      "LEFT JOIN \(Journal.Table.association.name) AS m ON m.mapping = \($0) "
        + "AND m.source = e.\"Z_PK\""
    }
    let found = try store.connection.prepare(
      "SELECT e.\(ElementsPlan.sourceColumn), e.\"Z_PK\", \(merged == nil ? "NULL" : "m.destination") "
        + "FROM \(elements.entity.table(inSchema: "")) AS e \(merged ?? "") ORDER BY e.\"Z_PK\"")
    var associations = AssociationWriter(mapping: mapping.index, store: store)
    let places = try elementPlaces(of: mapping)
    let number = Int64(mapping.destination?.number ?? 0)
    var source: Int64?
    var made: Int64 = 0
    func end() {
      guard source != nil else { return }
      if made > 0 {
        work.context.account.migrated += 1
        work.context.account.split += made - 1
      } else {
        work.context.account.merged += 1
      }
      made = 0
    }
    var count = 0
    while try found.step() {
      count += 1
      if count & 0xFFF == 0 { try control.checkCancellation() }
      let owner = found.integer(at: 0)
      if owner != source {
        end()
        source = owner
      }
      let kept = found.value(at: 2).integer
      if kept == nil { made += 1 }
      let destination = kept ?? found.integer(at: 1)
      try associations.append(source: owner, destination: destination, entity: number)
      if let places {
        try places.bind(owner, at: 1)
        try places.bind(destination, at: 2)
        try places.bind(found.integer(at: 1), at: 3)
        try places.run()
      }
    }
    end()
    try associations.flush()
  }

  /// What notes the places of elements in their lists, if a relationship asks for them.
  private func elementPlaces(of mappingPlan: MappingPlan) throws -> Statement? {
    let isAsked = step.plan.relationships(leadingTo: mappingPlan).contains {
      $0.isPlaced(in: step.plan)
    }
    return isAsked ? try store.journal.elementPlaces(of: mappingPlan.index) : nil
  }
}
