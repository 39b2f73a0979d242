public import Passage
internal import PassageSQLite

/// Compares the layout that this project gives a model with a store of that model, for each object
/// of the schema: tables with columns, their order and declared types, join tables, indexes,
/// triggers, virtual tables and entity numbers.
///
/// The layout is represented by a new store of the model, whose schema is read back from its file.
/// Every statement that is not identical is either an ``Exception`` of a known kind or a
/// difference:
///
/// ```swift
/// let comparison = try LayoutComparison(storeAt: path, model: model)
/// #expect(comparison.differences.isEmpty)
/// print(comparison.summary)
/// ```
public struct LayoutComparison: Sendable, Hashable {
  /// The kinds of objects that are compared.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    case table
    case joinTable = "join table"
    case bookkeepingTable = "bookkeeping table"
    case virtualTable = "virtual table"
    case index
    case trigger
    case entityNumber = "entity number"
  }

  /// A known reason why a store differs from one created today.
  public enum Exception: String, Sendable, Hashable, CaseIterable {
    /// Several `Z_FOK_` columns are in another order; no rule is known for it.
    case orderOfOrderColumns = "several ordering columns are in another order"
    /// A many-to-many relationship of an entity with itself has two possible names for its table;
    /// the store has the other one.
    case reflexiveTableName = "a reflexive join table is named after its other end"
    /// Frameworks up to 251 did not sort columns of one kind.
    case unsortedColumns = "the framework did not sort columns yet"
    /// Frameworks up to 251 made join tables without types, key and compound index.
    case oldJoinTable = "a join table of the old form"
    /// Frameworks up to 866 named indexes of attributes after table and columns, without collation.
    case oldIndexForm = "an index of the old form"
    /// Framework 851 wrote uniqueness constraints into the table.
    case inlineUniqueness = "a uniqueness constraint is in the table"
    /// Frameworks before version 640 stored no model in the store.
    case noModelCache = "the framework kept no model in the store yet"
    /// Core Data migrated the store in place: appended columns, names and indexes of earlier
    /// versions.
    case migratedInPlace = "the store was migrated in place"
    /// The tables of persistent history, which are created if an app asks for them.
    case persistentHistory = "persistent history"
    /// The tables of CloudKit mirroring, which are created if an app asks for them.
    case cloudKit = "CloudKit mirroring"
  }

  /// The result of comparing one object of the schema.
  public enum Outcome: Sendable, Hashable {
    case equal
    /// It differs, for a known reason.
    case exception(Exception)
    /// It differs, and no reason is known.
    case different
  }

  /// One object of the schema.
  public struct Item: Sendable, Hashable {
    /// The part of the layout that was compared.
    public var part: Part
    /// The name in the store, or in the layout if the store does not have the object.
    public var name: String
    /// The object in the layout; `nil` if it has none.
    public var expected: String?
    /// The object in the store; `nil` if it has none.
    public var found: String?
    /// The result of the comparison.
    public var outcome: Outcome
  }

  /// All objects: first those of the layout in its order, then those that only the store has.
  public let items: [Item]
  /// Whether the store shows that Core Data migrated it in place.
  public let isMigratedInPlace: Bool

  /// Compares a store with the layout of its model.
  ///
  /// - Parameters:
  ///   - path: the store's path; the store is not changed.
  ///   - model: the model it was written with.
  /// - Throws: `StoreError` if the store cannot be read, and errors that SQLite returns.
  public init(storeAt path: String, model: Model) throws {
    let store = try StoreFile.open(path: path)
    let real = try SchemaSnapshot(store.connection)
    let folder = try TemporaryDirectory()
    let fresh = folder.path("fresh.sqlite")
    let layout = try StoreCreator.create(model: model, at: fresh)
    let expected = try SchemaSnapshot(Connection.reading(fresh))
    var matcher = LayoutMatcher(
      expected: expected, real: real, layout: layout,
      frameworkVersion: store.metadata.frameworkVersion ?? 0)
    matcher.match()
    items = matcher.items
    isMigratedInPlace = matcher.isMigratedInPlace
  }

  /// The objects that differ without a known reason.
  public var differences: [Item] { items.filter { $0.outcome == .different } }

  /// The number of identical objects.
  public var equalCount: Int { items.filter { $0.outcome == .equal }.count }

  /// The exceptions with the names of their objects, in the order of ``Exception``.
  public var exceptions: [(exception: Exception, names: [String])] {
    Exception.allCases.compactMap { exception in
      let names = items.filter { $0.outcome == .exception(exception) }.map(\.name)
      return names.isEmpty ? nil : (exception, names)
    }
  }

  /// For each part that occurs, the number of identical objects and of all objects.
  public var counts: [(part: Part, equal: Int, all: Int)] {
    Part.allCases.compactMap { part in
      let found = items.filter { $0.part == part }
      guard !found.isEmpty else { return nil }
      return (part, found.filter { $0.outcome == .equal }.count, found.count)
    }
  }

  /// One line: the number of identical objects, each exception with the number of its objects, and
  /// the differences by name.
  public var summary: String {
    var parts = ["\(equalCount) of \(items.count) equal"]
    parts += exceptions.map { "\($0.names.count) × \($0.exception.rawValue)" }
    let different = differences.map { "\($0.part.rawValue) \($0.name)" }
    if !different.isEmpty { parts.append("different: \(different.joined(separator: ", "))") }
    return parts.joined(separator: "; ")
  }
}
