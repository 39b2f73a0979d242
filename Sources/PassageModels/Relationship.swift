/// A relationship to objects of another entity: Core Data's `NSRelationshipDescription`.
public struct Relationship: Sendable, Hashable {
  /// The delete rules, with the numbers of `NSDeleteRule`.
  public enum DeleteRule: UInt32, Sendable, Hashable, CaseIterable {
    /// The related objects stay as they are.
    case noAction = 0
    /// The related objects lose their link back.
    case nullify = 1
    /// The related objects are deleted too.
    case cascade = 2
    /// An object with related objects cannot be deleted.
    case deny = 3
  }

  /// Unique among all properties of the entity, inherited ones included.
  public var name: String
  /// The destination entity; objects of its descendants can be related, too.
  public var destinationEntityName: String
  /// The inverse relationship, on the destination entity.
  public var inverseName: String?
  /// Whether an object may have no related object.
  public var isOptional: Bool
  /// Whether it is transient: it has no column and is not part of the version hash.
  public var isTransient: Bool
  /// The smallest number of related objects; checked only if the relationship is required.
  public var minimumCount: Int
  /// The largest number of related objects: 1 for a to-one relationship, 0 for no limit.
  public var maximumCount: Int
  /// Whether the related objects are ordered.
  public var isOrdered: Bool
  /// What happens to related objects when an object is deleted.
  public var deleteRule: DeleteRule
  /// The name that the relationship had in an earlier version.
  public var renamingIdentifier: String?
  /// A text that only changes the version hash.
  public var versionHashModifier: String?
  /// Free texts by key. Not part of the version hash.
  public var userInfo: [String: String]

  /// Creates a relationship; by default to-one, optional, with the delete rule `nullify`.
  public init(
    name: String, destinationEntityName: String, inverseName: String? = nil,
    isOptional: Bool = true, isTransient: Bool = false, minimumCount: Int = 0,
    maximumCount: Int = 1, isOrdered: Bool = false, deleteRule: DeleteRule = .nullify,
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.destinationEntityName = destinationEntityName
    self.inverseName = inverseName
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.isOrdered = isOrdered
    self.deleteRule = deleteRule
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// Whether an object may have several related objects: true unless the maximum count is 1.
  public var isToMany: Bool { maximumCount != 1 }
}
