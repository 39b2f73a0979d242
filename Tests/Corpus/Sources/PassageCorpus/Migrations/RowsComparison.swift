internal import Passage
internal import PassageTesting

/// Two results side by side, both in the order of their first cells, which are keys.
struct RowsComparison {
  let name: String
  let expected: StoreQuery.Cursor
  let found: StoreQuery.Cursor
  /// How many cells are the key, for the sentence.
  let keyCount: Int

  private static let limit = 3

  /// The first differences, in words.
  func mistakes() throws -> [String] {
    var mistakes: [String] = []
    while true {
      let one = try expected.next()
      let other = try found.next()
      guard one != nil || other != nil else { break }
      if one?.map(StoreDigest.text) != other?.map(StoreDigest.text), mistakes.count < Self.limit {
        mistakes.append(sentence(one, other))
        // Beyond a row that only one side has, every row would differ.
        if one == nil || other == nil || key(one) != key(other) { break }
      }
    }
    return mistakes
  }

  private func key(_ row: [Value]?) -> [String] {
    (row ?? []).prefix(keyCount).map(StoreDigest.text)
  }

  private func sentence(_ one: [Value]?, _ other: [Value]?) -> String {
    switch (one, other) {
    case (let one?, let other?) where key(one) == key(other):
      let cells = zip(one, other).enumerated()
        .filter { StoreDigest.text($0.element.0) != StoreDigest.text($0.element.1) }
      return "\(name) \(key(one)): other cells at \(cells.map(\.offset))"
    default:
      return "\(name): expected the key \(one.map { "\(key($0))" } ?? "of no row"), "
        + "found \(other.map { "\(key($0))" } ?? "no row")"
    }
  }
}
