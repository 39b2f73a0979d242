import PassageReaders
import PassageStores

/// Compares two archives object by object, along all references.
///
/// It knows nothing of models: classes and keys are compared as they are. Mutable and immutable
/// collections and texts are the same, dictionaries are compared by key and sets without order, and
/// a proxy is what it stands for.
struct ArchiveGraph {
  private var one: KeyedUnarchiver
  private var other: KeyedUnarchiver
  private var seen: Set<[KeyedArchive.Reference]> = []
  private var pending: [(KeyedArchive.Item, KeyedArchive.Item, String)] = []
  /// How many differences there are at each place, a class and a key.
  private(set) var differences: [String: Int] = [:]
  /// The objects that were compared.
  private(set) var objectCount = 0

  init(_ one: [UInt8], _ other: [UInt8]) throws {
    self.one = KeyedUnarchiver(try KeyedArchive(one), maximumSteps: .max)
    self.other = KeyedUnarchiver(try KeyedArchive(other), maximumSteps: .max)
    pending.append(
      (.object(try self.one.archive.root()), .object(try self.other.archive.root()), "root"))
    while let (left, right, place) = pending.popLast() { try compare(left, right, place) }
  }

  private mutating func compare(
    _ left: KeyedArchive.Item, _ right: KeyedArchive.Item, _ place: String
  ) throws {
    let left = try Self.plain(left, in: &one)
    let right = try Self.plain(right, in: &other)
    guard case .object(let a) = left, case .object(let b) = right else {
      if left != right { note("\(place): \(Self.kind(left)) and \(Self.kind(right))") }
      return
    }
    guard seen.insert([a, b]).inserted else { return }
    objectCount += 1
    let names = (
      Self.family(try one.archive.classNames(of: a)),
      Self.family(try other.archive.classNames(of: b))
    )
    guard names.0 == names.1 else { return note("\(place): \(names.0) and \(names.1)") }
    switch names.0[0] {
    case "NSDictionary": try compareEntries(a, b, place)
    case "NSArray", "NSSet":
      let elements = (try one.elements(of: a), try other.elements(of: b))
      guard elements.0.count == elements.1.count else {
        return note("\(place): other numbers of elements")
      }
      let pairs =
        names.0[0] == "NSArray"
        ? Array(zip(elements.0, elements.1))
        : Array(zip(try Self.sorted(elements.0, in: &one), try Self.sorted(elements.1, in: &other)))
      for (x, y) in pairs { pending.append((x, y, place)) }
    default:
      let keys = Set(one.archive.keys(of: a) + other.archive.keys(of: b))
      for key in keys {
        pending.append(
          (
            try one.archive.item(key, of: a), try other.archive.item(key, of: b),
            "\(names.0[0]).\(key)"
          ))
      }
    }
  }

  private mutating func compareEntries(
    _ a: KeyedArchive.Reference, _ b: KeyedArchive.Reference, _ place: String
  ) throws {
    var values: [String: KeyedArchive.Item] = [:]
    for entry in try one.entries(of: a) {
      if let key = try one.string(entry.key) { values[key] = entry.value }
    }
    for entry in try other.entries(of: b) {
      guard let key = try other.string(entry.key), let value = values.removeValue(forKey: key)
      else {
        note("\(place): other keys")
        continue
      }
      pending.append((value, entry.value, place))
    }
    if !values.isEmpty { note("\(place): other keys") }
  }

  private mutating func note(_ difference: String) { differences[difference, default: 0] += 1 }

  // MARK: What counts as the same

  private static func plain(
    _ item: KeyedArchive.Item, in archive: inout KeyedUnarchiver
  ) throws -> KeyedArchive.Item {
    var item = item
    while case .object(let object) = item,
      case .object(let next) = try archive.archive.item("NSUnderlyingProperty", of: object)
    {
      item = .object(next)
    }
    if let text = try archive.string(item) { return .string(text) }
    return item
  }

  private static func family(_ names: [String]) -> [String] {
    for name in ["NSArray", "NSSet", "NSDictionary"] where names.contains(name) { return [name] }
    return names
  }

  /// Texts sorted, and indexes by their names.
  private static func sorted(
    _ items: [KeyedArchive.Item], in archive: inout KeyedUnarchiver
  ) throws -> [KeyedArchive.Item] {
    var named: [(String, KeyedArchive.Item)] = []
    for item in items { named.append((try archive.string(item) ?? "", item)) }
    return named.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private static func kind(_ item: KeyedArchive.Item) -> String {
    switch item {
    case .null: "nil"
    case .bool(let flag): "the Boolean \(flag)"
    case .integer(let number): "the number \(number)"
    case .real(let number): "the real number \(number)"
    case .date: "a date"
    case .string(let text): "the text \(text)"
    case .data: "bytes"
    case .list: "a list"
    case .object: "an object"
    }
  }
}
