internal import PassageExpressions
internal import PassageModels
public import PassageValues

/// One object of the destination store, as a policy makes and reads it.
public struct DestinationObject: Sendable {
  private(set) var storage: Storage

  /// - Parameter values: the cells in the order of the shape's attributes.
  init(shape: DestinationShape, key: Int64, values: [Value]) {
    storage = Storage(shape: shape, cells: values)
    self.key = key
  }

  init(_ storage: Storage, key: Int64 = 0) {
    self.storage = storage
    self.key = key
  }

  /// The entity's attributes, resolved once per entity.
  package var shape: DestinationShape { storage.shape }

  /// The key the object has in the finished store; 0 until it is inserted.
  public internal(set) var key: Int64

  /// The cells of the stored attributes, sorted by attribute name.
  ///
  /// - Complexity: O(`values.count`) at every call. To read single cells, ask for them by name.
  public var values: [Value] { storage.cells.indices.map { storage.value(at: $0) } }

  /// The cell of a stored attribute, by its position in the shape.
  func value(at position: Int) -> Value { storage.value(at: position) }

  @inline(__always)
  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
  }

  /// The name of the object's entity in the destination model.
  public var entityName: String { shape.entity.name }

  /// A reference to the object.
  public var reference: ObjectReference { ObjectReference(entityName: entityName, key: key) }

  /// The cell of an attribute; `nil` when the entity has no such stored attribute.
  public subscript(name: String) -> Value? {
    storage.shape.position(of: name).map { storage.value(at: $0) }
  }

  /// Sets an attribute.
  ///
  /// - Throws: ``PolicyMistake`` when the entity has no such stored attribute, or when the value is
  ///   not of the attribute's type: a whole number beyond its 16 or 32 bits is not, nor is a finite one
  ///   that is too large for a `float` or `decimal`, or what is not a number.
  public mutating func set(_ name: String, to value: consuming Value) throws(PolicyMistake) {
    // The object keeps its shape, so that no reference is counted.
    let shapeOfObject = Unmanaged.passUnretained(storage.shape)
    guard let position = shapeOfObject._withUnsafeGuaranteedRef({ $0.position(of: name) }) else {
      throw unknown(name)
    }
    guard shape.types[position].accepts(value) else { throw unsuitable(value, position) }
    makeUnique()
    storage.set(position, to: consume value)
  }

  @inline(never)
  private func unknown(_ name: String) -> PolicyMistake {
    PolicyMistake(
      "“\(entityName)” has no stored attribute “\(name)”; it has "
        + shape.attributes.map(\.name).joined(separator: ", "))
  }

  @inline(never)
  private func unsuitable(_ value: Value, _ position: Int) -> PolicyMistake {
    let (name, type) = (shape.attributes[position].name, shape.types[position])
    if value.isNotANumber {
      return PolicyMistake(
        "the value for “\(entityName).\(name)” is not a number, which SQLite stores as nil")
    }
    if case .integer = value, let numbers = type.wholeNumbers {
      return PolicyMistake(
        "“\(entityName).\(name)” is of type \(type) and holds no number below "
          + "\(numbers.lowerBound) or above \(numbers.upperBound)")
    }
    if case .real(let number) = value, let largest = type.largestMagnitude,
      type.isExceeded(by: number)
    {
      return PolicyMistake(
        "“\(entityName).\(name)” is of type \(type) and holds no finite number below "
          + "-\(largest) or above \(largest)")
    }
    return PolicyMistake(
      "“\(entityName).\(name)” is of type \(type) and cannot hold \(value.kindName)")
  }
}
