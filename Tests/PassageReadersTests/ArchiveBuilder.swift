import PassageStores

/// Writes keyed archives as `NSKeyedArchiver` does, so that tests can say what is in them.
struct ArchiveBuilder {
  private(set) var objects: [PropertyList] = [.string("$null")]
  private var classes: [String: PropertyList] = [:]

  static let null = PropertyList.uid(0)

  /// Adds an object or a scalar; gives the reference to it.
  @discardableResult
  mutating func add(_ object: PropertyList) -> PropertyList {
    objects.append(object)
    return .uid(UInt64(objects.count - 1))
  }

  /// Adds an object of a class, with its values by key.
  @discardableResult
  mutating func add(
    _ name: String, inherits: [String] = [], _ members: [(String, PropertyList)]
  ) -> PropertyList {
    let description = classDescription(name, inherits: inherits)
    return add(
      .dictionary(
        members.map { PropertyList.Member($0.0, $0.1) } + [
          PropertyList.Member("$class", description)
        ]))
  }

  /// Replaces an object that was added before: for references forward.
  mutating func set(
    _ reference: PropertyList, _ name: String, inherits: [String] = [],
    _ members: [(String, PropertyList)]
  ) {
    guard case .uid(let number) = reference else { return }
    let description = classDescription(name, inherits: inherits)
    objects[Int(number)] = .dictionary(
      members.map { PropertyList.Member($0.0, $0.1) } + [PropertyList.Member("$class", description)]
    )
  }

  mutating func text(_ text: String) -> PropertyList { add(.string(text)) }

  mutating func array(_ elements: [PropertyList], _ name: String = "NSArray") -> PropertyList {
    add(name, inherits: name == "NSArray" ? [] : ["NSArray"], [("NS.objects", .array(elements))])
  }

  mutating func set(_ elements: [PropertyList]) -> PropertyList {
    add("NSSet", [("NS.objects", .array(elements))])
  }

  mutating func dictionary(
    _ members: [(String, PropertyList)], _ name: String = "NSMutableDictionary"
  ) -> PropertyList {
    let keys = members.map { text($0.0) }
    return add(
      name, inherits: ["NSDictionary"],
      [("NS.keys", .array(keys)), ("NS.objects", .array(members.map(\.1)))])
  }

  /// A dictionary as Core Data keeps one for a model in use: a token stands where a value is missing.
  mutating func knownKeys(_ members: [(String, PropertyList?)]) -> PropertyList {
    let token = text("__empty_slot_token__")
    let keys = array(members.map(\.0).map { text($0) })
    let strategy = add(
      "NSKnownKeysMappingStrategy1",
      [("keys", keys), ("length", .integer(Int64(members.count))), ("version", .integer(1))])
    let values = array(members.map { $0.1 ?? token })
    return add(
      "NSKnownKeysDictionary1",
      [("searchMapping", strategy), ("values", values), ("emptyToken", token)])
  }

  /// The archive's bytes.
  func archive(root: PropertyList, archiver: String = "NSKeyedArchiver") -> [UInt8] {
    PropertyList.dictionary([
      PropertyList.Member("$version", .integer(100_000)),
      PropertyList.Member("$archiver", .string(archiver)),
      PropertyList.Member("$top", .dictionary([PropertyList.Member("root", root)])),
      PropertyList.Member("$objects", .array(objects)),
    ]).binaryPropertyList
  }

  private mutating func classDescription(_ name: String, inherits: [String]) -> PropertyList {
    if let known = classes[name] { return known }
    let names = [name] + inherits + ["NSObject"]
    let description = add(
      .dictionary([
        PropertyList.Member("$classname", .string(name)),
        PropertyList.Member("$classes", .array(names.map { .string($0) })),
      ]))
    classes[name] = description
    return description
  }
}
