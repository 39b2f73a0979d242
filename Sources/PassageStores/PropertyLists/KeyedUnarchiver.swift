/// Reads values from a ``KeyedArchive`` and limits the number of steps.
///
/// Objects may be shared, so a few thousand bytes can describe a nested collection with more
/// elements, or more text, than fit into memory. Every element and every 16 bytes of text that are
/// returned count as one step, and the number of steps is limited.
package struct KeyedUnarchiver: Sendable {
  /// One entry of a dictionary.
  package struct Entry: Sendable, Hashable {
    package var key: KeyedArchive.Item
    package var value: KeyedArchive.Item
  }

  /// The default limit of steps.
  package static let maximumSteps = 2_000_000

  package let archive: KeyedArchive
  /// The number of steps left.
  package private(set) var remainingSteps: Int

  /// - Parameter maximumSteps: the limit of steps.
  package init(_ archive: KeyedArchive, maximumSteps: Int = maximumSteps) {
    self.archive = archive
    self.remainingSteps = maximumSteps
  }

  /// Counts steps on behalf of a caller.
  ///
  /// - Throws: `tooLarge`.
  package mutating func spend(_ steps: Int) throws(KeyedArchiveError) {
    guard steps <= remainingSteps else { throw .tooLarge }
    remainingSteps -= steps
  }

  // MARK: Scalars

  /// The text under a key, of any of Foundation's string classes; `nil` if there is none.
  package mutating func string(
    _ key: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> String? {
    let item = try archive.item(key, of: object)
    if item == .null { return nil }
    guard let text = try string(item) else { throw .wrongKind(key: key, expected: "a text") }
    return text
  }

  /// The text of an item; `nil` if it is not a text.
  package mutating func string(_ item: KeyedArchive.Item) throws(KeyedArchiveError) -> String? {
    var item = item
    if case .object(let object) = item {
      item = try archive.item("NS.string", of: object)
      if item == .null { item = try archive.item("NS.bytes", of: object) }
      if case .data(let bytes) = item {
        try spend(bytes.count / 16)
        return String(validating: bytes, as: UTF8.self)
      }
    }
    guard case .string(let text) = item else { return nil }
    try spend(text.utf8.count / 16)
    return text
  }

  /// The flag under a key; `false` if it is absent, as for `decodeBool(forKey:)`.
  package func flag(
    _ key: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> Bool {
    switch try archive.item(key, of: object) {
    case .null: return false
    case .bool(let flag): return flag
    case .integer(let number): return number != 0
    default: throw .wrongKind(key: key, expected: "a flag")
    }
  }

  /// The integer under a key; `nil` if there is none.
  package func integer(
    _ key: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> Int64? {
    switch try archive.item(key, of: object) {
    case .null: return nil
    case .integer(let number): return number
    case .bool(let flag): return flag ? 1 : 0
    default: throw .wrongKind(key: key, expected: "a whole number")
    }
  }

  /// The object under a key; `nil` if there is none.
  package func object(
    _ key: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> KeyedArchive.Reference? {
    switch try archive.item(key, of: object) {
    case .null: return nil
    case .object(let reference): return reference
    default: throw .wrongKind(key: key, expected: "an object")
    }
  }

  /// Whether an object is of a class or one of its subclasses.
  package func isKind(
    _ object: KeyedArchive.Reference, of name: String
  ) throws(KeyedArchiveError) -> Bool {
    try archive.classNames(of: object).contains(name)
  }

  /// The keys of an object, except that of its class, in code-unit order. Each counts as a step.
  package mutating func keys(
    of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [String] {
    let keys = archive.keys(of: object)
    try spend(keys.count)
    return keys
  }

  // MARK: Collections

  /// The elements of the array or set under a key; empty if there is no collection.
  package mutating func elements(
    _ key: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [KeyedArchive.Item] {
    switch try archive.item(key, of: object) {
    case .null: return []
    case .list(let indexes): return try items(indexes)
    case .object(let collection): return try elements(of: collection)
    default: throw .wrongKind(key: key, expected: "a collection")
    }
  }

  /// The elements of an array or a set, in the order of the archive.
  package mutating func elements(
    of collection: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [KeyedArchive.Item] {
    switch try archive.item("NS.objects", of: collection) {
    case .list(let indexes): return try items(indexes)
    case .null: return try numbered("NS.object.", of: collection)
    default: throw .wrongKind(key: "NS.objects", expected: "a list")
    }
  }

  /// The entries of the dictionary under a key; empty if there is no dictionary.
  package mutating func entries(
    _ key: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [Entry] {
    guard let dictionary = try self.object(key, of: object) else { return [] }
    return try entries(of: dictionary)
  }

  /// The entries of a dictionary in the order of the archive: of an `NSDictionary` or one of its
  /// subclasses, or of the `NSKnownKeysDictionary1` that Core Data uses for a model in use.
  package mutating func entries(
    of dictionary: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [Entry] {
    if let strategy = try object("searchMapping", of: dictionary) {
      return try knownKeysEntries(of: dictionary, strategy: strategy)
    }
    let keys: [KeyedArchive.Item]
    let values: [KeyedArchive.Item]
    if case .list(let indexes) = try archive.item("NS.keys", of: dictionary) {
      keys = try items(indexes)
      values = try elements("NS.objects", of: dictionary)
    } else {
      keys = try numbered("NS.key.", of: dictionary)
      values = try numbered("NS.object.", of: dictionary)
    }
    guard keys.count == values.count else { throw .unevenDictionary }
    return zip(keys, values).map { Entry(key: $0, value: $1) }
  }

  /// Keys and values are in two arrays. A token marks keys that have no value.
  private mutating func knownKeysEntries(
    of dictionary: KeyedArchive.Reference, strategy: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [Entry] {
    let keys = try elements("keys", of: strategy)
    let values = try elements("values", of: dictionary)
    guard keys.count == values.count else { throw .unevenDictionary }
    let token = try archive.item("emptyToken", of: dictionary)
    // Every value is compared with the token.
    try spend(values.count * Self.steps(of: token))
    return zip(keys, values).filter { $1 != token && $1 != .null }
      .map { Entry(key: $0, value: $1) }
  }

  /// The steps to compare an item with another one.
  private static func steps(of item: KeyedArchive.Item) -> Int {
    switch item {
    case .string(let text): text.utf8.count / 16
    case .data(let bytes): bytes.count / 16
    case .list(let indexes): indexes.count
    case .null, .bool, .integer, .real, .date, .object: 0
    }
  }

  private mutating func items(_ indexes: [Int]) throws(KeyedArchiveError) -> [KeyedArchive.Item] {
    try spend(indexes.count)
    var items: [KeyedArchive.Item] = []
    items.reserveCapacity(indexes.count)
    for index in indexes { items.append(try archive.item(at: index)) }
    return items
  }

  /// Reads the older form of collections, with one key for each element.
  private mutating func numbered(
    _ prefix: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [KeyedArchive.Item] {
    var items: [KeyedArchive.Item] = []
    while true {
      let item = try archive.item("\(prefix)\(items.count)", of: object)
      if item == .null { return items }
      try spend(1)
      items.append(item)
    }
  }
}
