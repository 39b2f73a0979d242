public import Passage
internal import PassageSQLite

/// All objects of a store with their attributes and related objects, read with plain SQL.
///
/// It does not use the engine, so a test can compare a migrated store with what it expects:
///
/// ```swift
/// let contents = try StoreContents(path: path, model: destination)
/// #expect(contents["Person"].map { $0["fullName"] } == ["Ann Lee", "Bob Ray"])
/// ```
public struct StoreContents: Sendable, Hashable {
  /// One object.
  public struct Object: Sendable, Hashable {
    /// The name of the object's entity.
    public var entityName: String
    /// The object's primary key.
    public var key: Int64
    /// Values by attribute, including inherited ones.
    public var attributes: [String: Value]
    /// Related objects by relationship: ordered ones in their order, others sorted by entity and
    /// key.
    public var related: [String: [ObjectReference]]

    /// Creates an object.
    public init(
      entityName: String, key: Int64, attributes: [String: Value] = [:],
      related: [String: [ObjectReference]] = [:]
    ) {
      self.entityName = entityName
      self.key = key
      self.attributes = attributes
      self.related = related
    }

    /// The value of an attribute; NULL if the entity has no such attribute.
    public subscript(name: String) -> Value { attributes[name] ?? .null }

    /// The keys of the related objects.
    public func keys(_ relationship: String) -> [Int64] {
      (related[relationship] ?? []).map(\.key)
    }

    /// A reference to the object.
    public var reference: ObjectReference { ObjectReference(entityName: entityName, key: key) }
  }

  /// The error for a name that the test's model does not have.
  public struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in one sentence.
    public var description: String
    /// Creates the error.
    public init(_ description: String) { self.description = description }
  }

  /// Sorted by entity name, then by key.
  public var objects: [Object]

  /// Creates contents in code, to compare a store with.
  public init(objects: [Object]) {
    self.objects = objects.sorted { ($0.entityName, $0.key) < ($1.entityName, $1.key) }
  }

  /// Reads a store.
  ///
  /// - Parameters:
  ///   - path: the store's path; the store is not changed.
  ///   - model: the model it was written with.
  /// - Throws: the error that SQLite returns.
  public init(path: String, model: Model) throws {
    let reader = try ContentsReader(path: path, model: model)
    self.init(objects: try model.entities.flatMap { try reader.objects(of: $0) })
  }

  /// The objects of exactly one entity, by key.
  public subscript(entity: String) -> [Object] { objects.filter { $0.entityName == entity } }

  /// The object with this key; `nil` if there is none.
  public func object(_ entity: String, _ key: Int64) -> Object? {
    objects.first { $0.entityName == entity && $0.key == key }
  }

  /// The differences from other contents as text; empty if there are none.
  public func differences(from other: StoreContents, limit: Int = 20) -> [String] {
    let mine = Dictionary(
      objects.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
    let theirs = Dictionary(
      other.objects.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
    var found: [String] = []
    for object in objects {
      guard let twin = theirs[object.reference] else {
        found.append("\(object.entityName) \(object.key) is only in the first")
        continue
      }
      for name in Set(object.attributes.keys).union(twin.attributes.keys).sorted()
      where object[name] != twin[name] {
        found.append("\(object.entityName) \(object.key).\(name): \(object[name]), \(twin[name])")
      }
      for name in Set(object.related.keys).union(twin.related.keys).sorted()
      where object.keys(name) != twin.keys(name) || object.related[name] != twin.related[name] {
        found.append(
          "\(object.entityName) \(object.key).\(name): \(object.keys(name)), \(twin.keys(name))")
      }
    }
    for object in other.objects where mine[object.reference] == nil {
      found.append("\(object.entityName) \(object.key) is only in the second")
    }
    return Array(found.prefix(max(0, limit)))
  }
}
