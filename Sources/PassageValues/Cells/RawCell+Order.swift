internal import PassagePlatform

/// SQLite's order of cells (https://www.sqlite.org/datatype3.html#comparison_expressions): NULL,
/// numbers, texts and blobs by their bytes.
extension RawCell {
  package var isNull: Bool {
    switch self {
    case .null: true
    case .real(let value): value.isNaN
    default: false
    }
  }

  /// Negative, zero or positive if `left` comes before, is equal to or comes after `right`. NaN is
  /// NULL.
  package static func order(_ left: RawCell, _ right: RawCell) -> Int {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): a < b ? -1 : (a > b ? 1 : 0)
    case (.real(let a), .real(let b)) where !a.isNaN && !b.isNaN: a < b ? -1 : (a > b ? 1 : 0)
    case (.text(let a), .text(let b)), (.blob(let a), .blob(let b)): order(a, b)
    case (.integer(let a), .real(let b)) where !b.isNaN: a.order(to: b)
    case (.real(let a), .integer(let b)) where !a.isNaN: -b.order(to: a)
    default: left.storageRank - right.storageRank
    }
  }

  private var storageRank: Int {
    switch self {
    case .null: 0
    case .integer: 1
    case .real(let value): value.isNaN ? 0 : 1
    case .text: 2
    case .blob: 3
    }
  }

  private static func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    if let left = a.baseAddress, let right = b.baseAddress {
      let order = memcmp(left, right, min(a.count, b.count))
      if order != 0 { return Int(order) }
    }
    return a.count - b.count
  }
}
