package import PassageStores

/// Why bytes are not a keyed archive that can be read, or an archive not what was looked for.
package enum KeyedArchiveError: Error, Sendable, Hashable {
  /// The bytes are no binary property list.
  case propertyList(PropertyListError)
  /// The property list is not an archive of `NSKeyedArchiver`.
  case notAKeyedArchive
  /// A reference leads to no object, or to another reference.
  case badReference(UInt64)
  /// An object has no class, or one without a name.
  case noClass
  /// A value that must be there is missing.
  case missing(key: String)
  /// A value is of another kind than its key needs.
  case wrongKind(key: String, expected: String)
  /// An object is of another class than is needed.
  case wrongClass(String, expected: String)
  /// A dictionary has another number of keys than of values.
  case unevenDictionary
  /// Objects hold each other more deeply than can be meant.
  case tooDeep
  /// Following the references takes more steps than an honest archive needs.
  case tooLarge
}

extension KeyedArchiveError: CustomStringConvertible {
  /// The reason as a clause.
  package var description: String {
    switch self {
    case .propertyList(let error): "\(error)"
    case .notAKeyedArchive: "the property list is not a keyed archive"
    case .badReference(let number): "the archive has no object number \(number)"
    case .noClass: "an object of the archive has no class"
    case .missing(let key): "“\(key)” is missing"
    case .wrongKind(let key, let expected): "“\(key)” is not \(expected)"
    case .wrongClass(let name, let expected): "an object is of class \(name), not \(expected)"
    case .unevenDictionary: "a dictionary does not have as many keys as values"
    case .tooDeep: "objects of the archive hold each other too deeply"
    case .tooLarge: "the archive's references expand to too many objects"
    }
  }
}
