import PassageValues

/// SQLite's order of cells (https://www.sqlite.org/datatype3.html#comparison_expressions): NULL,
/// numbers, text, blobs. Texts and blobs are compared byte by byte. Unlike with Swift's `==` on
/// strings, two texts are equal only if their code units are.
extension Value {
  /// Negative, zero or positive if `left` comes before, is equal to or comes after `right`. NaN is
  /// NULL.
  static func order(_ left: Value, _ right: Value) -> Int {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): a < b ? -1 : (a > b ? 1 : 0)
    case (.real(let a), .real(let b)) where !a.isNaN && !b.isNaN: a < b ? -1 : (a > b ? 1 : 0)
    case (.text(let a), .text(let b)): order(a, b)
    case (.integer(let a), .real(let b)) where !b.isNaN: a.order(to: b)
    case (.real(let a), .integer(let b)) where !a.isNaN: -b.order(to: a)
    case (.blob(let a), .blob(let b)): order(a, b)
    case (.malformedText(let a), .malformedText(let b)): order(a, b)
    case (.text(let a), .malformedText(let b)): order(Array(a.utf8), b)
    case (.malformedText(let a), .text(let b)): order(a, Array(b.utf8))
    default: left.storageRank - right.storageRank
    }
  }

  /// Whether SQLite's `IS` is true.
  static func isSame(_ left: Value, _ right: Value) -> Bool { order(left, right) == 0 }

  /// Whether the cell is NULL, or NaN, which SQLite stores as NULL.
  var isNothing: Bool { storageRank == 0 }

  private var storageRank: Int {
    switch self {
    case .null: 0
    case .integer: 1
    case .real(let value): value.isNaN ? 0 : 1
    case .text, .malformedText: 2
    case .blob: 3
    }
  }

  private static func order(_ a: String, _ b: String) -> Int {
    // Swift orders strings by canonical equivalence, so bytes are compared; those of a native
    // string are contiguous.
    let inRow: Int?? = a.utf8.withContiguousStorageIfAvailable { left in
      b.utf8.withContiguousStorageIfAvailable { right in Value.order(left, right) }
    }
    if case .some(.some(let result)) = inRow { return result }
    var left = a.utf8.makeIterator()
    var right = b.utf8.makeIterator()
    while true {
      switch (left.next(), right.next()) {
      case (let x?, let y?): if x != y { return Int(x) - Int(y) }
      case (nil, nil): return 0
      case (nil, _): return -1
      case (_, nil): return 1
      }
    }
  }

  private static func order(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.withUnsafeBufferPointer { left in b.withUnsafeBufferPointer { right in order(left, right) } }
  }

  private static func order(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Int {
    for index in 0..<min(a.count, b.count) where a[index] != b[index] {
      return Int(a[index]) - Int(b[index])
    }
    return a.count - b.count
  }
}
