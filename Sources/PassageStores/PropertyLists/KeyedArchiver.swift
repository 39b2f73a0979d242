/// Writes an archive of `NSKeyedArchiver`: a property list in which `$objects` holds every object
/// once, and objects refer to each other by their positions.
///
/// Equal texts and classes are written once. The same calls always give the same bytes.
struct KeyedArchiver {
  /// A class with its superclasses, the nearest first, without `NSObject`.
  struct Class: Sendable, Hashable {
    let name: String
    let ancestors: [String]

    init(_ name: String, _ ancestors: String...) {
      self.name = name
      self.ancestors = ancestors
    }

    static let array = Class("NSArray")
    static let mutableArray = Class("NSMutableArray", "NSArray")
    static let set = Class("NSSet")
    static let dictionary = Class("NSDictionary")
    static let mutableDictionary = Class("NSMutableDictionary", "NSDictionary")
  }

  /// The place of an object, which may be filled after others have referred to it.
  struct Reference: Sendable, Hashable {
    fileprivate let number: Int

    /// The reference as a value of another object.
    var value: PropertyList { .uid(UInt64(number)) }
  }

  /// The reference to nil.
  static let null = PropertyList.uid(0)

  private var objects: [PropertyList] = [.string("$null")]
  /// By their bytes: texts that only mean the same are different ones.
  private var texts: [[UInt8]: PropertyList] = [:]
  private var classes: [Class: PropertyList] = [:]

  // MARK: Objects

  /// Takes the place of an object that is filled later. An object that is not filled is nil.
  mutating func reserve() -> Reference {
    objects.append(.string("$null"))
    return Reference(number: objects.count - 1)
  }

  /// Writes an object into its place.
  mutating func fill(_ place: Reference, _ type: Class, _ members: [PropertyList.Member]) {
    let description = describe(type)
    objects[place.number] = .dictionary(members + [PropertyList.Member("$class", description)])
  }

  /// Adds an object; returns the reference to it.
  mutating func add(_ type: Class, _ members: [PropertyList.Member]) -> PropertyList {
    let place = reserve()
    fill(place, type, members)
    return place.value
  }

  /// Adds a text, once; returns the reference to it.
  mutating func text(_ text: String) -> PropertyList {
    let bytes = Array(text.utf8)
    if let known = texts[bytes] { return known }
    let reference = scalar(.string(text))
    texts[bytes] = reference
    return reference
  }

  /// Adds a text, or refers to nil.
  mutating func text(_ text: String?) -> PropertyList { text.map { self.text($0) } ?? Self.null }

  /// Adds a number, a Boolean or bytes where an object is expected; returns the reference to it.
  mutating func scalar(_ value: PropertyList) -> PropertyList {
    objects.append(value)
    return .uid(UInt64(objects.count - 1))
  }

  // MARK: Collections

  /// Adds an array or a set of references.
  mutating func list(_ elements: [PropertyList], _ type: Class = .mutableArray) -> PropertyList {
    add(type, [PropertyList.Member("NS.objects", .array(elements))])
  }

  /// Adds a dictionary from texts to references.
  mutating func dictionary(
    _ entries: [(key: String, value: PropertyList)], _ type: Class = .mutableDictionary
  ) -> PropertyList {
    let keys = entries.map { text($0.key) }
    return add(
      type,
      [
        PropertyList.Member("NS.keys", .array(keys)),
        PropertyList.Member("NS.objects", .array(entries.map(\.value))),
      ])
  }

  // MARK: The archive

  /// The archive with this outermost object.
  func archive(root: PropertyList) -> [UInt8] {
    PropertyList.dictionary([
      PropertyList.Member("$version", .integer(100_000)),
      PropertyList.Member("$archiver", .string("NSKeyedArchiver")),
      PropertyList.Member("$top", .dictionary([PropertyList.Member("root", root)])),
      PropertyList.Member("$objects", .array(objects)),
    ]).binaryPropertyList
  }

  private mutating func describe(_ type: Class) -> PropertyList {
    if let known = classes[type] { return known }
    let names = [type.name] + type.ancestors + ["NSObject"]
    let description = scalar(
      .dictionary([
        PropertyList.Member("$classname", .string(type.name)),
        PropertyList.Member("$classes", .array(names.map { .string($0) })),
      ]))
    classes[type] = description
    return description
  }
}
