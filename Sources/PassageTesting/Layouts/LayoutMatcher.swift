internal import Passage

/// Finds the store's object for each object of the layout, and the reason for each difference.
struct LayoutMatcher {
  let expected: SchemaSnapshot
  let real: SchemaSnapshot
  let frameworkVersion: Int64
  let isMigratedInPlace: Bool
  private(set) var items: [LayoutComparison.Item] = []

  private let joinTables: [String: JoinTable]
  /// The store's objects that no object of the layout has matched, by their position in its schema.
  private var unclaimed: Set<Int>

  init(
    expected: SchemaSnapshot, real: SchemaSnapshot, layout: StoreLayout, frameworkVersion: Int64
  ) {
    self.expected = expected
    self.real = real
    self.frameworkVersion = frameworkVersion
    joinTables = Dictionary(
      layout.joinTables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    unclaimed = Set(real.objects.indices)
    isMigratedInPlace = Self.showsMigrationInPlace(real, expected, frameworkVersion)
  }

  /// The last framework seen that named an index of an attribute after table and column.
  private static let lastOfOldIndexes: Int64 = 866

  /// Whether tables were altered, entities kept the name of an earlier version, or there are
  /// indexes of the old form although the framework no longer creates them.
  private static func showsMigrationInPlace(
    _ real: SchemaSnapshot, _ expected: SchemaSnapshot, _ frameworkVersion: Int64
  ) -> Bool {
    let names = Set(expected.entities.map(\.name))
    let numbers = Set(expected.entities.map(\.number))
    let own = Set(expected.objects.map(\.name))
    return real.objects.contains { $0.type == "table" && $0.isAltered }
      || real.entities.contains { numbers.contains($0.number) && !names.contains($0.name) }
      || frameworkVersion > 754
        && real.objects.contains { $0.isNamedInOldForm && !own.contains($0.name) }
  }

  mutating func match() {
    for object in expected.objects {
      switch object.type {
      case "table": matchTable(object)
      case "index": matchIndex(object)
      default: matchByName(object, part: .trigger)
      }
    }
    for index in unclaimed.sorted() { noteExtra(real.objects[index]) }
    matchEntities()
  }

  // MARK: Tables

  private mutating func matchTable(_ object: SchemaSnapshot.Object) {
    let part = part(ofTable: object)
    var exception: LayoutComparison.Exception?
    var place = unclaimed.first { real.objects[$0].isTable(named: object.name) }
    if place == nil, let joinTable = joinTables[object.name] {
      let columns = Set(object.columns.map { $0.name.uppercased() })
      place = unclaimed.sorted().first {
        real.objects[$0].type == "table"
          && Set(real.objects[$0].columns.map { $0.name.uppercased() }) == columns
      }
      exception =
        joinTable.owner.entityName == joinTable.other.entityName
        ? .reflexiveTableName : isMigratedInPlace ? .migratedInPlace : nil
    }
    guard let place else {
      let isOld = object.name == BookkeepingTable.modelCache.rawValue && frameworkVersion < 640
      return note(part, object, nil, isOld ? .exception(.noModelCache) : .different)
    }
    unclaimed.remove(place)
    let found = real.objects[place]
    if found.sql == object.sql { return note(part, object, found, .equal) }
    guard let reason = exception ?? reason(forTable: object, found, part) else {
      return note(part, object, found, .different)
    }
    note(part, object, found, .exception(reason))
  }

  private func part(ofTable object: SchemaSnapshot.Object) -> LayoutComparison.Part {
    if object.sql.hasPrefix("CREATE VIRTUAL TABLE") { return .virtualTable }
    if BookkeepingTable(rawValue: object.name) != nil { return .bookkeepingTable }
    return joinTables[object.name] == nil ? .table : .joinTable
  }

  private func reason(
    forTable object: SchemaSnapshot.Object, _ found: SchemaSnapshot.Object,
    _ part: LayoutComparison.Part
  ) -> LayoutComparison.Exception? {
    let isOld = frameworkVersion <= 251
    let names = (object.columns.map(\.name), found.columns.map(\.name))
    if part == .joinTable, isOld, Set(names.0) == Set(names.1),
      found.columns.allSatisfy({ $0.type.isEmpty })
    {
      return .oldJoinTable
    }
    if part == .joinTable, Set(names.0) == Set(names.1),
      let table = joinTables[object.name], table.owner.entityName == table.other.entityName
    {
      return .reflexiveTableName
    }
    let isSameSet = Set(object.columns) == Set(found.columns)
    if isSameSet, object.columns.count == found.columns.count {
      if object.columns == found.columns, found.sql.uppercased().contains(" UNIQUE") {
        return .inlineUniqueness
      }
      let others = (object.columns.filter(\.isNoOrder), found.columns.filter(\.isNoOrder))
      if others.0 == others.1, object.columns != found.columns { return .orderOfOrderColumns }
      if isOld, object.columns != found.columns { return .unsortedColumns }
    }
    return isMigratedInPlace && Set(object.columns).isSubset(of: Set(found.columns))
      ? .migratedInPlace : nil
  }

  // MARK: Indexes and triggers

  private mutating func matchIndex(_ object: SchemaSnapshot.Object) {
    if let place = unclaimed.first(where: { real.objects[$0].sql == object.sql }) {
      unclaimed.remove(place)
      return note(.index, object, real.objects[place], .equal)
    }
    let isJoin = joinTables[object.tableName] != nil
    let isUnique = object.sql.hasPrefix("CREATE UNIQUE INDEX")
    if isJoin, frameworkVersion <= 251 {
      let places = unclaimed.filter {
        real.objects[$0].type == "index" && real.objects[$0].columns.count == 1
          && joinTableOfStore(named: object.tableName)?.name == real.objects[$0].tableName
      }.sorted()
      for place in places { unclaimed.remove(place) }
      if let first = places.first {
        return note(.index, object, real.objects[first], .exception(.oldJoinTable))
      }
    }
    if let place = unclaimed.sorted().first(where: { real.objects[$0].isOldForm(of: object) }),
      frameworkVersion <= Self.lastOfOldIndexes || isMigratedInPlace
    {
      unclaimed.remove(place)
      return note(.index, object, real.objects[place], .exception(.oldIndexForm))
    }
    if isUnique, isWrittenInline(object) {
      return note(.index, object, nil, .exception(.inlineUniqueness))
    }
    if isJoin, let table = joinTables[object.tableName],
      table.owner.entityName == table.other.entityName,
      let place = unclaimed.first(where: {
        real.objects[$0].type == "index"
          && Set(real.objects[$0].columns) == Set(object.columns)
      })
    {
      unclaimed.remove(place)
      return note(.index, object, real.objects[place], .exception(.reflexiveTableName))
    }
    let same = unclaimed.first { real.objects[$0].isIndex(named: object.name) }
    if let same { unclaimed.remove(same) }
    note(
      .index, object, same.map { real.objects[$0] },
      isMigratedInPlace ? .exception(.migratedInPlace) : .different)
  }

  /// The store's table with the columns of one of the layout's join tables.
  private func joinTableOfStore(named name: String) -> SchemaSnapshot.Object? {
    guard let columns = joinTables[name]?.columns else { return nil }
    return real.objects.first { $0.type == "table" && Set($0.columns.map(\.name)) == Set(columns) }
  }

  private func isWrittenInline(_ index: SchemaSnapshot.Object) -> Bool {
    let table = real.objects.first { $0.isTable(named: index.tableName) }
    return table?.sql.uppercased().contains(" UNIQUE") ?? false
  }

  private mutating func matchByName(
    _ object: SchemaSnapshot.Object, part: LayoutComparison.Part
  ) {
    let place = unclaimed.first {
      real.objects[$0].type == object.type && real.objects[$0].name == object.name
    }
    if let place { unclaimed.remove(place) }
    let found = place.map { real.objects[$0] }
    if found?.sql == object.sql { return note(part, object, found, .equal) }
    note(part, object, found, isMigratedInPlace ? .exception(.migratedInPlace) : .different)
  }

  // MARK: Objects on one side only

  private mutating func noteExtra(_ object: SchemaSnapshot.Object) {
    let part: LayoutComparison.Part =
      switch object.type {
      case "index": .index
      case "table": part(ofTable: object)
      default: .trigger
      }
    let outcome: LayoutComparison.Outcome =
      if Self.historyTables.contains(object.tableName) {
        .exception(.persistentHistory)
      } else if object.tableName.hasPrefix("ANSCK") {
        .exception(.cloudKit)
      } else {
        isMigratedInPlace ? .exception(.migratedInPlace) : .different
      }
    items.append(
      LayoutComparison.Item(
        part: part, name: object.name, expected: nil, found: object.sql, outcome: outcome))
  }

  private static let historyTables: Set<String> = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

  private mutating func matchEntities() {
    let found = Dictionary(
      real.entities.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    for entity in expected.entities {
      let other = found[entity.number]
      let isRenamed = isMigratedInPlace && other?.parentNumber == entity.parentNumber
      items.append(
        LayoutComparison.Item(
          part: .entityNumber, name: entity.name, expected: entity.text, found: other?.text,
          outcome: other == entity
            ? .equal : isRenamed ? .exception(.migratedInPlace) : .different))
    }
    let own = Set(expected.entities.map(\.number))
    for entity in real.entities where !own.contains(entity.number) {
      let outcome: LayoutComparison.Outcome =
        switch entity.number {
        case 16_000..<17_000: .exception(.persistentHistory)
        case 17_000..<18_000: .exception(.cloudKit)
        default: .different
        }
      items.append(
        LayoutComparison.Item(
          part: .entityNumber, name: entity.name, expected: nil, found: entity.text,
          outcome: outcome))
    }
  }

  private mutating func note(
    _ part: LayoutComparison.Part, _ object: SchemaSnapshot.Object,
    _ found: SchemaSnapshot.Object?, _ outcome: LayoutComparison.Outcome
  ) {
    items.append(
      LayoutComparison.Item(
        part: part, name: found?.name ?? object.name, expected: object.sql, found: found?.sql,
        outcome: outcome))
  }
}

extension SchemaSnapshot.Column {
  /// Whether it is not a column for the order of a relationship.
  var isNoOrder: Bool { !name.hasPrefix("Z_FOK_") }
}

extension SchemaSnapshot.Object {
  /// Whether the table was changed with `ALTER TABLE`, which quotes a new name and appends columns
  /// before the last parenthesis, while Core Data ends the statement with a space and the
  /// parenthesis.
  var isAltered: Bool {
    let isModels = tableName.hasPrefix("Z") && BookkeepingTable(rawValue: tableName) == nil
    return isModels && (sql.hasPrefix("CREATE TABLE \"") || sql.hasSuffix(" )") == false)
      && !sql.hasPrefix("CREATE VIRTUAL TABLE")
  }

  func isTable(named other: String) -> Bool {
    type == "table" && name.uppercased() == other.uppercased()
  }

  func isIndex(named other: String) -> Bool {
    type == "index" && name.uppercased() == other.uppercased()
  }

  /// Whether it is the same index in the form that Core Data used before 2017.
  func isOldForm(of object: SchemaSnapshot.Object) -> Bool {
    isNamedInOldForm && tableName == object.tableName && columns == object.columns
  }

  /// Whether the index is named after its table and its columns, without collation.
  var isNamedInOldForm: Bool {
    let plain = "\(tableName)_\(columns.map(\.name).joined(separator: "_"))"
    return type == "index" && (name == plain || name == "\(plain)_INDEX")
      && !sql.contains("COLLATE")
  }
}
