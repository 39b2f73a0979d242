/// How SQL reads the cells of links as numbers, whatever types a store declares for their columns.
///
/// Core Data declares the columns of keys, of entity numbers beside them and of places as INTEGER, so SQLite
/// stores their values as numbers. In a file that declares another type, `3` can be stored as the text
/// `'3'`. SQLite finds the object with key 3 by it: beside the column of keys it compares the text as a
/// number (https://www.sqlite.org/datatype3.html, section 4.2). Beside a bare number or a parameter it
/// would compare the number as a text, and in code a text is none.
///
/// Every lane and every count reads the cells with these expressions. For a column of numbers they change
/// nothing, and indexes still serve the comparisons.
package enum LinkNumber {
  /// A number with which a cell is compared as a number.
  package static func literal(_ number: Int64) -> String { "CAST(\(number) AS INTEGER)" }

  /// The same for a parameter.
  package static let parameter = "CAST(? AS INTEGER)"

  /// The condition that a cell is a number, or a text that SQLite takes for one.
  ///
  /// All other texts and all blobs are above every number
  /// (https://www.sqlite.org/datatype3.html, section 4.1).
  package static func isNumber(_ cell: String) -> String { "\(cell) <= CAST(9e999 AS REAL)" }

  /// The value of a cell: the number if it is one or a text that SQLite takes for one, a whole one as an
  /// integer; otherwise the cell unchanged. A real number beyond 2^53 stays one, because SQL adds to it as
  /// to one.
  package static func value(of cell: String) -> String {
    let whole = "CAST(\(cell) + 0 AS INTEGER)"
    let isExact = "\(whole) BETWEEN -\(1 << 53) AND \(1 << 53)"
    return "CASE WHEN \(cell) = \(whole) AND \(isExact) THEN \(whole) "
      + "WHEN \(isNumber(cell)) THEN \(cell) + 0 ELSE \(cell) END"
  }
}
