/// What the objects of a source table have become, by their keys.
///
/// It is made of parts, of which the first that knows a key counts, or is a run of all links. While
/// it is used, no part changes.
package final class LinkTable {
  /// A part as plain bytes.
  struct Part {
    var words: UnsafeMutablePointer<UInt64>
    var first: Int64
    var lastIndex: UInt64
    /// The bits of a value of a map; 0 in a set, whose keys are moved.
    var width: UInt64
    /// What is added: to the key, or to the value.
    var base: Int64
    var entityNumber: Int64

    /// The keys of a set.
    init(_ set: KeySet, offset: Int64 = 0, entityNumber: Int = 0) {
      (words, first, lastIndex, width) = (set.words, set.first, set.lastIndex, 0)
      (base, self.entityNumber) = (offset, Int64(entityNumber))
    }

    /// The keys of a map.
    init(_ map: KeyMap, entityNumber: Int) {
      (words, first, lastIndex, width) = (map.words, map.first, map.lastIndex, map.width)
      (base, self.entityNumber) = (map.base, Int64(entityNumber))
    }

    /// What the object with a key has become; `nil` when the part does not know the key.
    @inline(__always)
    func target(_ key: Int64) -> Target? {
      let index = UInt64(bitPattern: key &- first)
      guard index <= lastIndex else { return nil }
      if width == 0 {
        guard words[Int(truncatingIfNeeded: index >> 6)] >> (index & 63) & 1 == 1 else {
          return nil
        }
        return Target(key: key &+ base, entityNumber: entityNumber)
      }
      let bit = index &* width
      let (word, shift) = (Int(truncatingIfNeeded: bit >> 6), bit & 63)
      var value = words[word] >> shift
      if shift + width > 64 { value |= words[word + 1] << (64 - shift) }
      value &= (1 << width) - 1
      guard value != 0 else { return nil }
      return Target(key: Int64(bitPattern: value) &+ base, entityNumber: entityNumber)
    }
  }

  /// An object: its key and the number of its entity.
  struct Target {
    var key: Int64
    var entityNumber: Int64
  }

  /// The keys of the objects that there are, whatever they have become; `nil` when the parts know
  /// every one.
  package var existing: KeySet?
  private(set) var parts: UnsafeMutablePointer<Part>
  private(set) var partCount = 0
  private var sets: [KeySet] = []
  private var maps: [KeyMap] = []
  /// What the links of the rows lead to, where it is not looked up by keys.
  let run: LinkRun?

  /// Whether it knows no key.
  package var isEmpty: Bool { partCount == 0 && run == nil }

  package init() {
    run = nil
    parts = .allocate(capacity: 1)
  }

  /// The links of the rows of one table. Each cell that is made of them has to be in the order of
  /// these rows.
  package init(_ run: LinkRun) {
    self.run = run
    parts = .allocate(capacity: 1)
  }

  deinit { parts.deallocate() }

  /// Appends the keys of a set: their objects have the same keys plus an offset.
  package func append(_ set: KeySet, offset: Int64, entityNumber: Int) {
    sets.append(set)
    append(Part(set, offset: offset, entityNumber: entityNumber))
  }

  /// Appends the keys of a map.
  package func append(_ map: KeyMap, entityNumber: Int) {
    maps.append(map)
    append(Part(map, entityNumber: entityNumber))
  }

  private func append(_ part: Part) {
    let grown = UnsafeMutablePointer<Part>.allocate(capacity: partCount + 1)
    grown.moveInitialize(from: parts, count: partCount)
    (grown + partCount).initialize(to: part)
    parts.deallocate()
    parts = grown
    partCount += 1
  }

  /// What the object with a key has become; `nil` when that is nothing.
  @inline(__always)
  static func find(
    _ key: Int64, in parts: UnsafeMutablePointer<Part>, count: Int
  ) -> Target? {
    for place in 0..<count {
      if let target = parts[place].target(key) { return target }
    }
    return nil
  }

  package func find(_ key: Int64) -> (key: Int64, entityNumber: Int64)? {
    Self.find(key, in: parts, count: partCount).map { ($0.key, $0.entityNumber) }
  }
}
