/// Why bytes cannot be read as a keyed archive, or why an archive is not the expected one.
package enum KeyedArchiveError: Error, Sendable, Hashable {
  /// The bytes are not a binary property list.
  case propertyList(PropertyListError)
  /// The property list is not an archive of `NSKeyedArchiver`.
  case notAKeyedArchive
  /// A key of an object has so many bytes, more than ``KeyedArchive/maximumKeyBytes``.
  case longKey(Int)
  /// A reference leads to no object, or to another reference.
  case badReference(UInt64)
  /// An object has no class, or one without a name.
  case noClass
  /// A required value is missing.
  case missing(key: String)
  /// A value is of another kind than its key requires.
  case wrongKind(key: String, expected: String)
  /// An object is of another class than is required.
  case wrongClass(String, expected: String)
  /// A dictionary has different numbers of keys and values.
  case unevenDictionary
  /// Objects are nested too deeply.
  case tooDeep
  /// Following the references takes more steps than are allowed.
  case tooLarge
}

extension KeyedArchiveError: CustomStringConvertible {
  /// The reason as a clause.
  package var description: String {
    switch self {
    case .propertyList(let error): "\(error)"
    case .notAKeyedArchive: "the property list is not a keyed archive"
    case .longKey(let count):
      "a key of the archive has \(count) bytes, more than \(KeyedArchive.maximumKeyBytes)"
    case .badReference(let number): "the archive has no object number \(number)"
    case .noClass: "an object of the archive has no class"
    case .missing(let key): "“\(key)” is missing"
    case .wrongKind(let key, let expected): "“\(key)” is not \(expected)"
    case .wrongClass(let name, let expected): "an object is of class \(name), not \(expected)"
    case .unevenDictionary: "a dictionary does not have as many keys as values"
    case .tooDeep: "objects of the archive are nested too deeply"
    case .tooLarge: "the archive's references expand to too many objects"
    }
  }
}
