/// One kind of object: Core Data's `NSEntityDescription`. It holds its own properties only; what it
/// inherits is asked of the ``Model``.
public struct Entity: Sendable, Hashable {
  public var name: String
  public var isAbstract: Bool
  /// The parent entity; `nil` for a root, which owns a table.
  public var parentName: String?
  public var attributes: [Attribute]
  public var relationships: [Relationship]
  /// The names of fetched properties. They have no column, no hash and no mapping.
  public var fetchedPropertyNames: [String]
  /// Each constraint is a list of attribute names, in order.
  public var uniquenessConstraints: [[String]]
  public var indexes: [Index]
  /// The name under which an earlier version knew the entity.
  public var renamingIdentifier: String?
  /// Text that changes the version hash and nothing else.
  public var versionHashModifier: String?
  /// The class apps use for its objects. Kept, never looked up.
  public var className: String?
  public var userInfo: [String: String]

  public init(
    name: String, isAbstract: Bool = false, parentName: String? = nil,
    attributes: [Attribute] = [], relationships: [Relationship] = [],
    fetchedPropertyNames: [String] = [], uniquenessConstraints: [[String]] = [],
    indexes: [Index] = [], renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    className: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.isAbstract = isAbstract
    self.parentName = parentName
    self.attributes = attributes
    self.relationships = relationships
    self.fetchedPropertyNames = fetchedPropertyNames
    self.uniquenessConstraints = uniquenessConstraints
    self.indexes = indexes
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.className = className
    self.userInfo = userInfo
  }
}

/// An index of an entity's table: Core Data's `NSFetchIndexDescription`.
public struct Index: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable {
    case binary
    case rtree
  }

  public struct Element: Sendable, Hashable {
    /// An attribute or a to-one relationship of the entity.
    public var propertyName: String
    public var kind: Kind
    public var isAscending: Bool

    public init(propertyName: String, kind: Kind = .binary, isAscending: Bool = true) {
      self.propertyName = propertyName
      self.kind = kind
      self.isAscending = isAscending
    }
  }

  public var name: String
  public var elements: [Element]
  /// The predicate of a partial index, in NSPredicate's format.
  public var partialPredicate: String?

  public init(name: String, elements: [Element], partialPredicate: String? = nil) {
    self.name = name
    self.elements = elements
    self.partialPredicate = partialPredicate
  }
}
