/// A link to objects of another entity: Core Data's `NSRelationshipDescription`.
public struct Relationship: Sendable, Hashable {
  /// `NSDeleteRule`, with its numbers.
  public enum DeleteRule: UInt32, Sendable, Hashable, CaseIterable {
    case noAction = 0
    case nullify = 1
    case cascade = 2
    case deny = 3
  }

  public var name: String
  public var destinationEntityName: String
  /// The relationship on the destination entity that is the same link seen from there.
  public var inverseName: String?
  public var isOptional: Bool
  public var isTransient: Bool
  /// At least so many objects; judged only when the relationship is required.
  public var minimumCount: Int
  /// At most so many objects: 1 for a to-one relationship, 0 for no limit.
  public var maximumCount: Int
  public var isOrdered: Bool
  public var deleteRule: DeleteRule
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var userInfo: [String: String]

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

  public var isToMany: Bool { maximumCount != 1 }
}
