internal import PassageStores

/// The settings in the stereotypes of an entity or property, and which of them have been read.
struct EmbeddedSettings {
  private var items: [String: KeyedArchive.Item] = [:]

  /// The keys that have a value and were not read, sorted.
  var unreadKeys: [String] {
    items.filter { $0.value != .null && $0.value != .bool(false) }.keys.sorted()
  }

  mutating func set(_ item: KeyedArchive.Item, for key: String) { items[key] = item }

  /// Takes the value under a key; `null` if there is none.
  mutating func take(_ key: String) -> KeyedArchive.Item {
    items.removeValue(forKey: key) ?? .null
  }

  mutating func ignore(_ keys: [String]) {
    for key in keys { items[key] = nil }
  }

  /// The flag under a key; `false` if it is absent.
  mutating func flag(_ key: String) throws(KeyedArchiveError) -> Bool {
    switch take(key) {
    case .null: false
    case .bool(let flag): flag
    case .integer(let number): number != 0
    default: throw .wrongKind(key: key, expected: "a flag")
    }
  }

  /// The integer under a key; `nil` if there is none.
  mutating func integer(_ key: String) throws(KeyedArchiveError) -> Int64? {
    switch take(key) {
    case .null: nil
    case .integer(let number): number
    case .bool(let flag): flag ? 1 : 0
    default: throw .wrongKind(key: key, expected: "a whole number")
    }
  }
}
