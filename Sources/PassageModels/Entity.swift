/// One kind of object: Core Data's `NSEntityDescription`. It contains only its own properties;
/// inherited ones are found through the ``Model``.
public struct Entity: Sendable, Hashable {
  /// Unique in the model.
  public var name: String
  /// Whether only its descendants have objects, never the entity itself.
  public var isAbstract: Bool
  /// The parent entity; `nil` for a root entity, which owns a table.
  public var parentName: String?
  /// The entity's own attributes, in the order of its file.
  public var attributes: [Attribute]
  /// The entity's own relationships, in the order of its file.
  public var relationships: [Relationship]
  /// The entity's own fetched properties. They have no column, no hash and no property mapping.
  public var fetchedProperties: [Entity.FetchedProperty]
  /// Each constraint is a list of attribute names, in order.
  public var uniquenessConstraints: [[String]]
  /// The indexes of the entity. Not part of the version hash.
  public var indexes: [Entity.Index]
  /// The name that the entity had in an earlier version.
  public var renamingIdentifier: String?
  /// A text that only changes the version hash.
  public var versionHashModifier: String?
  /// The name of the class that apps use for its objects. It is preserved but never used.
  public var className: String?
  /// Free texts by key. Not part of the version hash.
  public var userInfo: [String: String]
  /// The 32 bytes that Core Data or Xcode's compiler recorded as the entity's version hash. They
  /// are used only if the hash cannot be computed with certainty: see `Model.hashOrigin(of:)`.
  public var recordedVersionHash: [UInt8]?

  /// Creates an entity; by default a concrete root entity without properties.
  public init(
    name: String, isAbstract: Bool = false, parentName: String? = nil,
    attributes: [Attribute] = [], relationships: [Relationship] = [],
    fetchedProperties: [Entity.FetchedProperty] = [], uniquenessConstraints: [[String]] = [],
    indexes: [Entity.Index] = [], renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    className: String? = nil, userInfo: [String: String] = [:],
    recordedVersionHash: [UInt8]? = nil
  ) {
    self.name = name
    self.isAbstract = isAbstract
    self.parentName = parentName
    self.attributes = attributes
    self.relationships = relationships
    self.fetchedProperties = fetchedProperties
    self.uniquenessConstraints = uniquenessConstraints
    self.indexes = indexes
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.className = className
    self.userInfo = userInfo
    self.recordedVersionHash = recordedVersionHash
  }
}

extension Entity {
  /// An index of an entity's table: Core Data's `NSFetchIndexDescription`.
  public struct Index: Sendable, Hashable {
    /// The structure of the index.
    public enum Kind: String, Sendable, Hashable {
      /// A tree of values in ascending order.
      case binary
      /// A tree of ranges, for coordinates.
      case rtree
    }

    /// One property of an index, or an expression over several, with its direction.
    public struct Element: Sendable, Hashable {
      /// An attribute or a to-one relationship of the entity; empty for an expression.
      public var propertyName: String
      /// The expression that is indexed instead of a property, as the model writes it:
      /// `lowercase:(name)`.
      public var expression: String?
      /// A binary tree, or an R-tree for coordinates.
      public var kind: Kind
      /// Whether smaller values come first.
      public var isAscending: Bool

      /// Creates an element; by default of a binary tree, ascending.
      public init(propertyName: String, kind: Kind = .binary, isAscending: Bool = true) {
        self.propertyName = propertyName
        self.kind = kind
        self.isAscending = isAscending
      }

      /// Creates an element for an expression.
      public init(expression: String, kind: Kind = .binary, isAscending: Bool = true) {
        self.init(propertyName: "", kind: kind, isAscending: isAscending)
        self.expression = expression
      }
    }

    /// Unique in the entity.
    public var name: String
    /// What is indexed, most significant first.
    public var elements: [Element]
    /// The predicate of a partial index, in NSPredicate's format.
    public var partialPredicate: String?

    /// Creates an index; without a predicate, of all objects.
    public init(name: String, elements: [Element], partialPredicate: String? = nil) {
      self.name = name
      self.elements = elements
      self.partialPredicate = partialPredicate
    }
  }
}
