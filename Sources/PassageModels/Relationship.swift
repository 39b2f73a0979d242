/// A link to objects of another entity: Core Data's `NSRelationshipDescription`.
public struct Relationship: Sendable, Hashable {
  /// `NSDeleteRule`, with its numbers.
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
  /// The entity the relationship leads to; objects of its descendants are destinations too.
  public var destinationEntityName: String
  /// The relationship on the destination entity that is the same link seen from there.
  public var inverseName: String?
  /// Whether an object may have none.
  public var isOptional: Bool
  /// A transient relationship has no column and no part in the version hash.
  public var isTransient: Bool
  /// At least so many objects; judged only when the relationship is required.
  public var minimumCount: Int
  /// At most so many objects: 1 for a to-one relationship, 0 for no limit.
  public var maximumCount: Int
  /// Whether the order of the objects is kept.
  public var isOrdered: Bool
  /// What happens at the other end when an object is deleted.
  public var deleteRule: DeleteRule
  /// The name under which an earlier version knew the relationship.
  public var renamingIdentifier: String?
  /// Text that changes the version hash and nothing else.
  public var versionHashModifier: String?
  /// Free texts by key. Not part of the version hash.
  public var userInfo: [String: String]

  /// Makes a relationship; by default to-one, optional and nullifying.
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

  /// Whether an object may have several: everything but a maximum count of 1.
  public var isToMany: Bool { maximumCount != 1 }
}
