internal import PassageExpressions
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

extension PolicyWorker {
  // MARK: Associations

  func destinationInstances(
    forMappingNamed name: String, sourceKey: Int64
  ) throws -> [ObjectReference] {
    var found: [ObjectReference] = []
    for asked in try jobs(named: name) {
      for object in try destinationInstances(of: asked, sourceKey: sourceKey)
      where !found.contains(object) {
        found.append(object)
      }
    }
    return found
  }

  private func destinationInstances(
    of asked: MappingPlan, sourceKey: Int64
  ) throws -> [ObjectReference] {
    try flush()
    let connection = try connection(of: asked)
    var found: [ObjectReference] = []
    if let source = asked.source, let destination = asked.destination,
      try number(ofSourceKey: sourceKey, in: source) == Int64(source.number)
    {
      let key = sourceKey &+ asked.keyOffset
      let exists = try connection.integer(
        "SELECT count(*) FROM main.\(destination.tableName.quotedIdentifier) "
          + "WHERE Z_PK = ? AND Z_ENT = ?", [.integer(key), .integer(Int64(destination.number))])
      if exists > 0 { found.append(ObjectReference(entityName: destination.name, key: key)) }
    }
    let associated = try store.connection.rows(
      "SELECT entity, destination FROM \(Journal.Table.association.name) "
        + "WHERE mapping = ? AND source = ? ORDER BY destination",
      [.integer(Int64(asked.index)), .integer(sourceKey)])
    for row in associated {
      guard let number = row[0].integer, let key = row[1].integer,
        let entity = step.plan.destinationLayout.entity(numbered: number)
      else { continue }
      let reference = ObjectReference(entityName: entity.name, key: key)
      if !found.contains(reference) { found.append(reference) }
    }
    return found
  }

  func sourceKeys(
    forMappingNamed name: String, destination reference: ObjectReference
  ) throws -> [Int64] {
    var keys: Set<Int64> = []
    for asked in try jobs(named: name) { keys.formUnion(try sourceKeys(of: asked, reference)) }
    return keys.sorted()
  }

  private func sourceKeys(of asked: MappingPlan, _ reference: ObjectReference) throws -> Set<Int64>
  {
    try flush()
    var keys: Set<Int64> = []
    if let source = asked.source, asked.destination?.name == reference.entityName {
      let key = reference.key &- asked.keyOffset
      if try destinationInstances(of: asked, sourceKey: key).contains(reference),
        try number(ofSourceKey: key, in: source) == Int64(source.number)
      {
        keys.insert(key)
      }
    }
    let rows = try store.connection.rows(
      "SELECT source FROM \(Journal.Table.association.name) "
        + "WHERE mapping = ? AND destination = ? AND entity = ?",
      [
        .integer(Int64(asked.index)), .integer(reference.key),
        .integer(try number(ofEntity: reference.entityName)),
      ])
    for row in rows { row[0].integer.map { _ = keys.insert($0) } }
    return keys
  }

  /// Passes may use one name for entity mappings of the same kind: an entity split by ranges.
  private func jobs(named name: String) throws -> [MappingPlan] {
    let found = step.plan.jobs.filter { $0.passIndex <= job.passIndex && $0.name == name }
    if found.isEmpty {
      throw PolicyMistake("there is no entity mapping “\(name)” in this pass or an earlier one")
    }
    return found
  }

  private func connection(of job: MappingPlan) throws -> Connection {
    job.passIndex == self.job.passIndex
      ? store.connection : try passes.connection(ofPass: job.passIndex)
  }

  /// The `Z_ENT` of a row of the source; `nil` when there is none.
  private func number(ofSourceKey key: Int64, in entity: EntityLayout) throws -> Int64? {
    try passes.source().value(
      "SELECT Z_ENT FROM \(entity.tableName.quotedIdentifier) WHERE Z_PK = ?", [.integer(key)])?
      .integer
  }

  // MARK: Source objects

  func sourceObject(ofEntity name: String, key: Int64) throws -> SourceObject? {
    guard let entity = step.plan.source.entity(named: name),
      let layout = step.plan.sourceLayout.entity(named: name)
    else { throw PolicyMistake("the source model has no entity “\(name)”") }
    var columns: [(name: String, column: String)] = []
    for attribute in step.plan.source.attributes(of: entity) where attribute.isStored {
      if let column = layout.columnName(ofAttribute: attribute.name) {
        columns.append((attribute.name, column))
      }
    }
    for relationship in step.plan.source.relationships(of: entity) {
      if case .foreignKey(let column, _, _)? = layout.storage(ofRelationship: relationship.name) {
        columns.append((relationship.name, column))
      }
    }
    let list = (["Z_PK"] + columns.map(\.column)).map(\.quotedIdentifier).joined(separator: ", ")
    let numbers = layout.familyNumbers
    let row = try passes.source().rows(
      "SELECT \(list) FROM \(layout.tableName.quotedIdentifier) "
        + "WHERE Z_PK = ? AND Z_ENT BETWEEN ? AND ?",
      [
        .integer(key), .integer(Int64(numbers.lowerBound)), .integer(Int64(numbers.upperBound)),
      ]
    ).first
    return row.map {
      SourceObject(
        shape: ObjectShape(entityName: name, names: columns.map(\.name)), key: key,
        values: Array($0.dropFirst()))
    }
  }

  func sourceKeys(of source: SourceObject, relationship name: String) throws -> [Int64] {
    guard let entity = step.plan.sourceLayout.entity(named: source.shape.entityName),
      let stored = StoredLinks(ofRelationship: name, of: entity)
    else {
      throw PolicyMistake("“\(source.shape.entityName)” has no stored relationship “\(name)”")
    }
    let related = stored.related.quotedIdentifier
    return try passes.source().rows(
      "SELECT \(related) FROM \(stored.table.quotedIdentifier) "
        + "WHERE \(stored.owner.quotedIdentifier) = ? AND \(related) IS NOT NULL "
        + "ORDER BY \((stored.place ?? stored.related).quotedIdentifier), \(related)",
      [.integer(source.key)]
    ).compactMap { $0[0].integer }
  }
}
