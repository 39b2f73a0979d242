/// What the stereotypes of an entity or property say, and which of it has been read.
struct EmbeddedSettings {
  private var items: [String: KeyedArchive.Item] = [:]

  /// The keys that were not read and have a value, sorted.
  var unreadKeys: [String] {
    items.filter { $0.value != .null && $0.value != .bool(false) }.keys.sorted()
  }

  mutating func set(_ item: KeyedArchive.Item, for key: String) { items[key] = item }

  /// The value under a key, `null` when there is none.
  mutating func take(_ key: String) -> KeyedArchive.Item {
    items.removeValue(forKey: key) ?? .null
  }

  mutating func ignore(_ keys: [String]) {
    for key in keys { items[key] = nil }
  }

  /// The flag under a key; an absent one is false.
  mutating func flag(_ key: String) throws(KeyedArchiveError) -> Bool {
    switch take(key) {
    case .null: false
    case .bool(let flag): flag
    case .integer(let number): number != 0
    default: throw .wrongKind(key: key, expected: "a flag")
    }
  }

  /// The whole number under a key; `nil` when there is none.
  mutating func integer(_ key: String) throws(KeyedArchiveError) -> Int64? {
    switch take(key) {
    case .null: nil
    case .integer(let number): number
    case .bool(let flag): flag ? 1 : 0
    default: throw .wrongKind(key: key, expected: "a whole number")
    }
  }
}
