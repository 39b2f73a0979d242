extension Model {
  /// A fetch request that a model keeps under a name: a template of Core Data's
  /// `fetchRequestTemplatesByName`, or what a fetched property asks. Kept, never run.
  public struct FetchRequest: Sendable, Hashable {
    /// The template's name; of a fetched property, whatever its file says.
    public var name: String
    /// The entity whose objects are asked for.
    public var entityName: String?
    /// Which objects are meant, in NSPredicate's format.
    public var predicate: String?
    /// Everything else, as the file writes it: `fetchLimit`, `resultType`, `includesSubentities`.
    public var settings: [String: String]

    /// Makes a request for every object unless a predicate says for which.
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
  /// A property whose objects are asked for when it is read: Core Data's
  /// `NSFetchedPropertyDescription`. It has no column, no hash and no mapping.
  public struct FetchedProperty: Sendable, Hashable {
    /// Unique among all properties of the entity, inherited ones included.
    public var name: String
    /// What it asks; `nil` when the file does not say.
    public var fetchRequest: Model.FetchRequest?
    /// Free texts by key.
    public var userInfo: [String: String]

    /// Makes a fetched property.
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
  /// A named part of a model's entities, which an app can keep in a store of its own: Core Data's
  /// configurations. Kept; a migration is always of every entity a store has.
  public struct Configuration: Sendable, Hashable {
    /// Unique in the model.
    public var name: String
    /// The entities, in the order of the file.
    public var entityNames: [String]
    /// Whether the app mirrors the configuration's store to CloudKit.
    public var isUsedWithCloudKit: Bool

    /// Makes a configuration.
    public init(name: String, entityNames: [String], isUsedWithCloudKit: Bool = false) {
      self.name = name
      self.entityNames = entityNames
      self.isUsedWithCloudKit = isUsedWithCloudKit
    }
  }
}
