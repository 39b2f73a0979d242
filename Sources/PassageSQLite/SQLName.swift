internal import PassagePlatform

/// The name of a table or a column as SQLite compares it: by its bytes, where only the letters of
/// ASCII have no case.
///
/// Swift compares texts by characters, and knows the cases of all letters. To it `É`, `é`, and `E`
/// with an accent of its own are one name, of which SQLite makes three.
package struct SQLName: Sendable, Hashable {
  private let bytes: [UInt8]

  /// - Complexity: O(n) in the bytes of the name.
  package init(_ name: String) { bytes = name.utf8.map(\.uppercasedInASCII) }

  /// Whether SQLite takes two names for the same.
  package static func areSame(_ first: String, _ second: String) -> Bool {
    first.utf8.count == second.utf8.count
      && first.utf8.elementsEqual(second.utf8) { $0.uppercasedInASCII == $1.uppercasedInASCII }
  }
}
