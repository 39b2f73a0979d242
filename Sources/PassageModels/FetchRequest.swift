extension Model {
  /// A named fetch request of a model: a template of Core Data's `fetchRequestTemplatesByName`, or
  /// the request of a fetched property. It is preserved but never run.
  public struct FetchRequest: Sendable, Hashable {
    /// The template's name; for a fetched property, the name in its file.
    public var name: String
    /// The entity whose objects are fetched.
    public var entityName: String?
    /// The predicate in NSPredicate's format.
    public var predicate: String?
    /// All other settings, as the file writes them: `fetchLimit`, `resultType`,
    /// `includesSubentities`.
    public var settings: [String: String]

    /// Creates a request; without a predicate, for all objects.
    public init(
      name: String, entityName: String? = nil, predicate: String? = nil,
      settings: [String: String] = [:]
    ) {
      self.name = name
      self.entityName = entityName
      self.predicate = predicate
      self.settings = settings
    }
  }
}

extension Entity {
  /// A property whose objects are fetched when it is read: Core Data's
  /// `NSFetchedPropertyDescription`. It has no column, no hash and no property mapping.
  public struct FetchedProperty: Sendable, Hashable {
    /// Unique among all properties of the entity, inherited ones included.
    public var name: String
    /// The request; `nil` if the file has none.
    public var fetchRequest: Model.FetchRequest?
    /// Free texts by key.
    public var userInfo: [String: String]

    /// Creates a fetched property.
    public init(
      name: String, fetchRequest: Model.FetchRequest? = nil, userInfo: [String: String] = [:]
    ) {
      self.name = name
      self.fetchRequest = fetchRequest
      self.userInfo = userInfo
    }
  }
}

extension Model {
  /// A named subset of a model's entities, which an app can keep in a separate store: Core Data's
  /// configurations. It is preserved; a migration always covers all entities of a store.
  public struct Configuration: Sendable, Hashable {
    /// Unique in the model.
    public var name: String
    /// The entities, in the order of the file.
    public var entityNames: [String]
    /// Whether the app mirrors the configuration's store to CloudKit.
    public var isUsedWithCloudKit: Bool

    /// Creates a configuration.
    public init(name: String, entityNames: [String], isUsedWithCloudKit: Bool = false) {
      self.name = name
      self.entityNames = entityNames
      self.isUsedWithCloudKit = isUsedWithCloudKit
    }
  }
}
