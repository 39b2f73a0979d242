internal import PassageDiagnostics
internal import PassageModels

/// Builds a ``StoreLayout`` step by step: numbers, names, columns, join tables, indexes.
struct StoreLayoutBuilder {
  let model: Model

  /// The entities in the order of their numbers.
  var ordered: [Entity] = []
  /// Each entity's number, from 1.
  var numbers: [String: Int] = [:]
  /// The last number of each entity's descendants, or its own.
  var lastNumbers: [String: Int] = [:]
  /// Each entity's parent in the numbered tree, without parents that do not exist.
  var parents: [String: String] = [:]
  var roots: [String: String] = [:]
  var tableNames: [String: String] = [:]

  /// The column of each attribute and foreign key.
  var columns: [PropertyID: String] = [:]
  var foreignKeys: [PropertyID: ForeignKeyColumns] = [:]
  /// The to-many relationships without inverse whose keys are stored in each entity's rows.
  var incoming: [String: [PropertyID]] = [:]
  var joinTables: [JoinTable] = []
  var joinTableIndexes: [PropertyID: Int] = [:]
  /// How the join tables of an entity with itself are named.
  var namings: [String: ReflexiveNaming] = [:]
  var spatialIndexes: [SpatialIndexLayout] = []
  var unsupported = Diagnostics()

  init(model: Model) { self.model = model }

  mutating func build() -> StoreLayout {
    numberEntities()
    nameTables()
    nameColumns()
    makeJoinTables()
    let tables = makeTables()
    let entities = makeEntities()
    let indexes = makeIndexes(tables: tables)
    let derivedAttributes = makeDerivedAttributes(entities)
    noteCompositeAttributes()
    noteWideTables(tables)
    return StoreLayout(
      entities: entities, tables: tables, joinTables: joinTables, indexes: indexes,
      spatialIndexes: spatialIndexes, derivedAttributes: derivedAttributes,
      unsupported: unsupported)
  }

  /// The relationship's inverse if each names the other; `nil` otherwise.
  func mutualInverse(of relationship: Relationship, in entity: Entity) -> PropertyID? {
    guard let (id, inverse) = namedInverse(of: relationship),
      inverse.inverseName == relationship.name,
      let back = model.entity(named: inverse.destinationEntityName),
      model.isKind(back, of: entity) || model.isKind(entity, of: back)
    else { return nil }
    return id
  }

  /// The to-one relationship whose column holds the links of a to-many one: its inverse, even if
  /// that names another one as its own inverse; `nil` if there is none.
  func keyInverse(of relationship: Relationship, in entity: Entity) -> PropertyID? {
    if let inverse = mutualInverse(of: relationship, in: entity) { return inverse }
    guard relationship.isToMany, !relationship.isOrdered,
      let (id, inverse) = namedInverse(of: relationship), !inverse.isToMany
    else { return nil }
    return id
  }

  /// The stored relationship that a relationship names as its inverse.
  private func namedInverse(
    of relationship: Relationship
  ) -> (id: PropertyID, relationship: Relationship)? {
    guard let name = relationship.inverseName,
      let destination = model.entity(named: relationship.destinationEntityName),
      let declaring = model.lineage(of: destination).first(where: { candidate in
        model.declaresRelationship(name, entityNamed: candidate.name)
      }),
      let inverse = model.relationship(name, of: declaring), !inverse.isTransient
    else { return nil }
    return (PropertyID(entity: declaring.name, name: name), inverse)
  }

  func relationship(_ id: PropertyID) -> Relationship? {
    model.entity(named: id.entity).flatMap { model.relationship(id.name, of: $0) }
  }

  /// The entities of a table, in the order of their numbers.
  func family(ofRoot root: String) -> ArraySlice<Entity> {
    guard let first = numbers[root], let last = lastNumbers[root] else { return [] }
    return ordered[(first - 1)..<last]
  }
}

/// A property, identified by the entity that declares it and its name.
struct PropertyID: Hashable {
  var entity: String
  var name: String
}

/// The columns that belong to one foreign key.
struct ForeignKeyColumns {
  var key: String
  var entity: String?
  var order: String?
}

/// Creates names that are unique even if case is ignored, as SQLite compares names.
struct UniqueNames {
  private var taken: Set<String> = []
  private var nextSuffix: [String: Int] = [:]

  init(taken: [String] = []) { self.taken = Set(taken.map { $0.uppercased() }) }

  /// The name itself, or with the first free number from 1 appended.
  mutating func unique(_ name: String) -> String {
    let folded = name.uppercased()
    if taken.insert(folded).inserted { return name }
    var suffix = nextSuffix[folded] ?? 1
    while !taken.insert("\(folded)\(suffix)").inserted { suffix += 1 }
    nextSuffix[folded] = suffix + 1
    return "\(name)\(suffix)"
  }
}
