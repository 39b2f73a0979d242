/// An object of the destination store, by entity and key.
public struct ObjectReference: Sendable, Hashable {
  /// The name of the object's entity in the destination model.
  public var entityName: String
  /// The object's primary key in the destination store.
  public var key: Int64

  /// Creates a reference to an object.
  @inlinable
  public init(entityName: String, key: Int64) {
    self.entityName = entityName
    self.key = key
  }
}
