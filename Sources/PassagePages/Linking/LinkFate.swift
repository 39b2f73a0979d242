/// What a source object has become: one object of the destination.
package struct LinkFate: Sendable, Hashable {
  /// The key of the source object.
  package var source: Int64
  package var key: Int64
  package var entityNumber: Int64

  package init(source: Int64, key: Int64, entityNumber: Int64) {
    self.source = source
    self.key = key
    self.entityNumber = entityNumber
  }
}

/// Merges what source objects have become by several mappings, each in the order of source keys.
struct LinkFates {
  /// Gives the next one of a mapping; `nil` after the last one.
  typealias Next = () throws -> LinkFate?

  private let nexts: [Next]
  private var heads: [LinkFate?]

  /// - Throws: ``UnmergeableLinks``, or an error of what is merged.
  init(_ nexts: [Next]) throws {
    self.nexts = nexts
    heads = try nexts.map { try $0() }
  }

  /// What the object with a key has become; `nil` when that is nothing.
  ///
  /// - Parameter key: larger than the one before.
  /// - Throws: ``UnmergeableLinks`` when it has become several objects.
  mutating func find(_ key: Int64) throws -> LinkFate? {
    var found: LinkFate?
    for place in nexts.indices {
      while let head = heads[place], head.source <= key {
        if head.source == key {
          guard found == nil else { throw UnmergeableLinks() }
          found = head
        }
        let next = try nexts[place]()
        guard next.map({ $0.source >= head.source }) != false else { throw UnmergeableLinks() }
        heads[place] = next
      }
    }
    return found
  }
}

/// A link leads to an object that has become several, or what objects have become is not in order.
struct UnmergeableLinks: Error {}
