internal import PassageDiagnostics
internal import PassageModels
internal import PassagePlatform
internal import PassageStores

/// The best model that can be derived from a store's tables and metadata, for a store without an
/// archived model.
///
/// Entity names and inheritance are certain. Columns give attributes, join tables give many-to-many
/// relationships. Columns do not show the upper and lower case of a property's name (lower case is
/// used), whether it is optional, or, in most cases, the destination of a to-one relationship.
/// Subentities share their root's table, so all its columns become properties of the root.
struct GuessedModel {
  let numbers: [Int64: String]
  /// The number of each entity's parent; roots have none.
  let parents: [Int64: Int64]
  let tables: [OpenStore.DeclaredTable]
  let indexes: Set<String>
  var entities: [Int64: Entity]
  /// The entities' names by their spelling in columns.
  let namesByUppercase: [String: String]
  /// The names of the properties that each entity was given, and that its descendants were given.
  var names: [Int64: Set<String>] = [:]
  var namesBelow: [Int64: Set<String>] = [:]
  private(set) var doubts: [String] = []

  /// Entity numbers from here on belong to Core Data itself: persistent history and mirroring.
  private static let firstReservedNumber: Int64 = 16_000

  /// How many mistakes of a model that cannot be read are told.
  private static let maximumShownErrors = 5

  /// Guesses the model of a store.
  ///
  /// - Parameter unreadable: why the model that the store keeps cannot be read; `nil` if it keeps
  ///   none.
  /// - Throws: the codes of `ModelChecker`, if the store's own names do not give a valid model; a
  ///   `StoreError` if the store cannot be read.
  static func read(
    _ store: OpenStore, name: String, inPlaceOf unreadable: Diagnostics? = nil
  ) throws -> ReadModel {
    let hashes = store.metadata.versionHashes
    let (tables, indexes) = try store.declarations()
    let rows = try store.primaryKeys(numbered: 1...firstReservedNumber - 1)
    var guess = GuessedModel(rows: rows, hashes: hashes, tables: tables, indexes: indexes)
    guess.readTables(rows)
    guess.readJoinTables()
    let place = SourceLocation(file: store.unit.path)
    var findings = Diagnostics([
      Diagnostic(
        "MOD-127", "the model was guessed from the store's tables", severity: .warning,
        at: place,
        reason: unreadable == nil
          ? "the store contains no model" : "the model that the store contains cannot be read",
        remedy: "give the app's model: names, types and relationships are exact only there")
    ])
    for error in (unreadable?.errors ?? []).prefix(maximumShownErrors) {
      var error = error
      error.severity = .warning
      findings.append(error)
    }
    for doubt in guess.doubts.prefix(100) {
      findings.append(Diagnostic("MOD-128", doubt, severity: .note, at: place))
    }
    let model = Model(
      name: name, versionIdentifiers: store.metadata.modelVersionIdentifiers,
      entities: guess.entities.sorted { $0.key < $1.key }.map(\.value))
    var read = try ReadModel(
      checking: model, findings: findings, locations: ModelLocations(file: store.unit.path))
    // Columns do not show inverses, so this warning would appear for most relationships.
    read.remarks = Diagnostics(read.remarks.all.filter { $0.code != "MOD-024" })
    read.recordedHashes = hashes
    read.isGuessed = true
    return read
  }

  private init(
    rows: [OpenStore.PrimaryKeyRow], hashes: [String: [UInt8]],
    tables: [OpenStore.DeclaredTable], indexes: Set<String>
  ) {
    var numbers = Dictionary(
      rows.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    // After an entity was renamed in place, Z_NAME may have the old name; the hashes have the new
    // one.
    let stale = numbers.filter { hashes[$0.value] == nil }.map(\.key)
    let names = Set(numbers.values)
    let fresh = hashes.keys.filter { !names.contains($0) }
    if stale.count == 1, fresh.count == 1 {
      doubts.append("the entity “\(fresh[0])” still has its old name in Z_PRIMARYKEY")
      numbers[stale[0]] = fresh[0]
    } else if !hashes.isEmpty {
      doubts += stale.sorted().map {
        "the entity “\(numbers[$0] ?? "")” has no version hash in the store's metadata"
      }
    }
    self.numbers = numbers
    namesByUppercase = Dictionary(
      numbers.map { ($1.uppercased(), $1) }, uniquingKeysWith: { first, _ in first })
    self.parents = Dictionary(
      rows.filter { $0.parentNumber != 0 }.map { ($0.number, $0.parentNumber) },
      uniquingKeysWith: { first, _ in first })
    self.tables = tables
    self.indexes = indexes
    self.entities = [:]
    for row in rows {
      guard let name = numbers[row.number] else { continue }
      entities[row.number] = Entity(
        name: name, parentName: row.parentNumber == 0 ? nil : numbers[row.parentNumber])
    }
  }

  mutating func doubt(_ text: String) { doubts.append(text) }

  /// Assigns tables to entity numbers, by the current name of the entity and by an older one.
  mutating func readTables(_ rows: [OpenStore.PrimaryKeyRow]) {
    // By the bytes of their names, as SQLite compares them.
    var roots: [[UInt8]: Int64] = [:]
    for row in rows where row.parentNumber == 0 {
      for name in [row.name, numbers[row.number] ?? row.name] {
        roots[Array("Z\(name.uppercased())".utf8)] = row.number
      }
    }
    for table in tables {
      guard let number = roots[Array(table.name.uppercasedInASCII.utf8)] else { continue }
      readColumns(of: table, number: number)
    }
  }

  /// The property name for the upper-case name of a column or table; `nil` if it is not a valid
  /// name.
  static func propertyName(_ text: some StringProtocol) -> String? {
    guard let first = text.unicodeScalars.first,
      first == "_" || first.properties.isAlphabetic,
      text.unicodeScalars.allSatisfy({
        $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType == .decimal
      })
    else { return nil }
    return text.lowercased()
  }

  /// Splits `<digits><rest>` into its parts.
  static func numbered(_ text: some StringProtocol) -> (number: Int64, rest: String)? {
    let digits = text.prefix { ("0"..."9").contains($0) }
    guard let number = Int64(digits) else { return nil }
    return (number, String(text.dropFirst(digits.count)))
  }
}
