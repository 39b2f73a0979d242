/// One object of the source store as expressions and policies see it.
///
/// It is a value: keeping it beyond the hook that received it is safe and costs one copy of its
/// cells.
public struct SourceObject: Sendable {
  /// The names of the cells.
  public let shape: ObjectShape

  /// The object's primary key (`Z_PK`) in the source store.
  public var key: Int64

  /// The cells, in the order of ``ObjectShape/names``.
  public var values: [Value]

  /// Creates an object.
  ///
  /// - Parameters:
  ///   - shape: the names of the cells.
  ///   - key: the primary key, unique in the table of the root entity.
  ///   - values: the cells, in the order of the names of the shape.
  public init(shape: ObjectShape, key: Int64, values: [Value]) {
    self.shape = shape
    self.key = key
    self.values = values
  }

  /// The cell with this name; `nil` if the shape has no such cell.
  public subscript(name: String) -> Value? {
    shape.position(of: name).map { values[$0] }
  }
}
