/// The versions of a model that a file or bundle holds.
package struct ModelVersions: Sendable, Hashable {
  /// The names, in the order people count: `Model 2` before `Model 10`.
  package let names: [String]
  /// The version that is meant when none is named; `nil` when the bundle does not say.
  package let current: String?

  /// Sorts the names in the order people count.
  package init(names: [String], current: String?) {
    self.names = names.sorted { NaturalOrder($0) < NaturalOrder($1) }
    self.current = current
  }
}

/// A text in the order people count: runs of digits are numbers, the rest is bytes.
struct NaturalOrder: Comparable {
  /// The bytes, cut where digits begin and end.
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
    // Equal numbers that are written differently: fewer zeros first.
    if left.elementsEqual(right) { return x.count < y.count }
    return left.lexicographicallyPrecedes(right)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
