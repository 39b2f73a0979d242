internal import PassageModels
internal import PassageStores

extension String {
  /// Refuses a name of an entity, a property or a mapping that is too long: messages repeat it for every
  /// part of what has the name.
  func checkLength(key: String) throws(KeyedArchiveError) {
    guard utf8.count <= Self.maximumNameBytes else {
      throw .wrongKind(key: key, expected: "a name of at most \(Self.maximumNameBytes) bytes")
    }
  }
}
