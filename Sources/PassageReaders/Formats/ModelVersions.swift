/// The versions of a model that a file or bundle holds.
package struct ModelVersions: Sendable, Hashable {
  /// The names in natural order: `Model 2` before `Model 10`.
  package let names: [String]
  /// The version used if none is named; `nil` if the bundle does not name one.
  package let current: String?

  /// Creates a list of versions and sorts the names in natural order.
  package init(names: [String], current: String?) {
    self.names = names.sorted { NaturalOrder($0) < NaturalOrder($1) }
    self.current = current
  }
}

/// A text in natural order: runs of digits are compared as numbers, the rest as bytes.
struct NaturalOrder: Comparable {
  /// The bytes, split where digits begin and end.
  private var runs: [[UInt8]] = []

  init(_ text: String) {
    for byte in text.utf8 {
      if let last = runs.last?.last, Self.isDigit(last) == Self.isDigit(byte) {
        runs[runs.count - 1].append(byte)
      } else {
        runs.append([byte])
      }
    }
  }

  static func < (a: NaturalOrder, b: NaturalOrder) -> Bool {
    guard let (x, y) = zip(a.runs, b.runs).first(where: { $0 != $1 }) else {
      return a.runs.count < b.runs.count
    }
    guard isDigit(x[0]), isDigit(y[0]) else { return x.lexicographicallyPrecedes(y) }
    let left = x.drop { $0 == UInt8(ascii: "0") }
    let right = y.drop { $0 == UInt8(ascii: "0") }
    if left.count != right.count { return left.count < right.count }
    // Equal numbers that are written differently: fewer leading zeros come first.
    if left.elementsEqual(right) { return x.count < y.count }
    return left.lexicographicallyPrecedes(right)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
