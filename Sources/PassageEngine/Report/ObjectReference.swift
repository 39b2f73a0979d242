/// An object of the destination store, by entity and key.
public struct ObjectReference: Sendable, Hashable {
  public var entityName: String
  public var key: Int64

  public init(entityName: String, key: Int64) {
    self.entityName = entityName
    self.key = key
  }
}
