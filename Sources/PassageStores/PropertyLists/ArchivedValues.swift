internal import PassagePlatform

/// Reads plain values from an archive of `NSKeyedArchiver`: texts, numbers, dates, data, UUIDs, URLs,
/// arrays, sets and dictionaries. No class is instantiated, and only what is asked for is read.
package struct ArchivedValues {
  /// A step from a container to one of its values.
  package enum Step: Sendable, Hashable {
    /// The value of a dictionary under a key.
    case key(String)
    /// The element of an array or a set, in the order of the archive; from -1 backwards from the end.
    case index(Int)
  }

  private var unarchiver: KeyedUnarchiver
  private let top: KeyedArchive.Item
  /// The kinds of the classes that were met, by their descriptions: many objects share one.
  private var knownKinds: [KeyedArchive.Reference: Kind] = [:]

  /// The deepest nesting of containers that is read.
  private static let maximumDepth = 64
  /// The limit of elements and of 16 bytes of text or data that one value may have, whatever the archive's
  /// size.
  private static let maximumSteps = 500_000

  /// Reads an archive's table of objects.
  ///
  /// - Throws: ``KeyedArchiveError``.
  /// - Complexity: O(n) in the number of bytes.
  package init(_ bytes: [UInt8]) throws(KeyedArchiveError) {
    let archive = try KeyedArchive(bytes)
    unarchiver = KeyedUnarchiver(
      archive,
      maximumSteps: min(
        Self.maximumSteps, BinaryPropertyList.proportionateSteps(bytes: bytes.count)))
    top = try archive.rootItem()
  }

  /// The value at the end of a path; `nil` if there is nothing.
  ///
  /// - Throws: ``KeyedArchiveError``: `wrongClass` for an object of a class that is not a plain value.
  package mutating func value(at path: [Step]) throws(KeyedArchiveError) -> PlainValue? {
    var item = top
    for step in path {
      guard let next = try self.item(step, of: item) else { return nil }
      item = next
    }
    return try value(item, depth: 0)
  }

  private mutating func item(
    _ step: Step, of item: KeyedArchive.Item
  ) throws(KeyedArchiveError) -> KeyedArchive.Item? {
    guard case .object(let object) = item else { return nil }
    switch (step, try kind(of: object)) {
    case (.key(let key), .dictionary):
      for entry in try unarchiver.entries(of: object)
      where try unarchiver.string(entry.key)?.hasBytes(of: key) == true { return entry.value }
      return nil
    case (.index(let index), .list):
      let elements = try unarchiver.elements(of: object)
      let (fromEnd, overflow) = index.addingReportingOverflow(elements.count)
      let position = index < 0 && !overflow ? fromEnd : index
      return elements.indices.contains(position) ? elements[position] : nil
    default: return nil
    }
  }

  private mutating func value(
    _ item: KeyedArchive.Item, depth: Int
  ) throws(KeyedArchiveError) -> PlainValue {
    guard depth <= Self.maximumDepth else { throw .tooDeep }
    switch item {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .date(let seconds): return .date(seconds)
    case .string(let text):
      try unarchiver.spend(text.utf8.count / 16)
      return .string(text)
    case .data(let bytes):
      try unarchiver.spend(bytes.count / 16)
      return .data(bytes)
    case .list: throw .wrongKind(key: "$objects", expected: "an object")
    case .object(let object): return try value(of: object, depth: depth)
    }
  }

  private mutating func value(
    of object: KeyedArchive.Reference, depth: Int
  ) throws(KeyedArchiveError) -> PlainValue {
    switch try kind(of: object) {
    case .null: return .null
    case .list:
      var values: [PlainValue] = []
      for element in try unarchiver.elements(of: object) {
        values.append(try value(element, depth: depth + 1))
      }
      return .list(values)
    case .dictionary:
      var members: [PlainValue.Member] = []
      for entry in try unarchiver.entries(of: object) {
        guard let key = try unarchiver.string(entry.key) else {
          throw .wrongKind(key: "NS.keys", expected: "a list of texts")
        }
        members.append(.init(key, try value(entry.value, depth: depth + 1)))
      }
      return .dictionary(members)
    case .text:
      return try unarchiver.string(.object(object)).map { .string($0) } ?? .null
    case .date:
      switch try unarchiver.archive.item("NS.time", of: object) {
      case .real(let seconds): return .date(seconds)
      case .integer(let seconds): return .date(Double(seconds))
      default: throw .missing(key: "NS.time")
      }
    case .data:
      guard case .data(let bytes) = try unarchiver.archive.item("NS.data", of: object) else {
        throw .missing(key: "NS.data")
      }
      try unarchiver.spend(bytes.count / 16)
      return .data(bytes)
    case .uuid:
      guard case .data(let bytes) = try unarchiver.archive.item("NS.uuidbytes", of: object),
        let text = UUIDText.text(bytes)
      else { throw .missing(key: "NS.uuidbytes") }
      return .string(text)
    case .url:
      guard try unarchiver.archive.item("NS.base", of: object) == .null,
        let text = try unarchiver.string("NS.relative", of: object)
      else { throw .missing(key: "NS.relative") }
      return .string(text)
    }
  }

  private enum Kind {
    case null, text, date, data, uuid, url, list, dictionary
  }

  /// Foundation's classes of plain values; others have one of them among their superclasses.
  private static let kinds: [(name: String, kind: Kind)] = [
    ("NSDictionary", .dictionary), ("NSArray", .list), ("NSSet", .list), ("NSOrderedSet", .list),
    ("NSString", .text), ("NSDate", .date), ("NSData", .data), ("NSUUID", .uuid), ("NSURL", .url),
    ("NSNull", .null),
  ]

  private mutating func kind(of object: KeyedArchive.Reference) throws(KeyedArchiveError) -> Kind {
    let description = try unarchiver.archive.classDescription(of: object)
    if let known = knownKinds[description] { return known }
    let names = try unarchiver.archive.classNames(describedBy: description)
    for name in names {
      try unarchiver.spend(1 + name.utf8.count / 16)
      guard let known = Self.kinds.first(where: { $0.name == name }) else { continue }
      knownKinds[description] = known.kind
      return known.kind
    }
    throw .wrongClass(names[0], expected: "a text, number, date, data, list or dictionary")
  }
}
