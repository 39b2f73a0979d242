/// A value or a condition over the cells of one row, as a list of plain steps: what an expression
/// becomes where rows are handled without decoding them.
///
/// Values are on a stack. A test decides with which step the program goes on, so that `AND`, `OR`,
/// `NOT` and choices need no steps of their own. A step that cannot be sure to give what the
/// expression gives (a text beyond ASCII in upper case, a date in an unusual form, a failure) leaves
/// the row undecided.
package struct CellProgram: Sendable {
  /// One step.
  package enum Step: Sendable {
    // Values.
    /// A cell of the row.
    case column(Int)
    case constant(Int)
    /// The row's key.
    case key
    case apply(ArithmeticOperator, isReal: Bool)
    case function(NumberFunction)
    /// The remainder of two numbers.
    case modulus
    case text(CellTextFunction)
    /// A whole number in digits.
    case digits
    /// `1` or `0`.
    case flag
    /// So many texts, joined; NULL when one of them is no text.
    case concatenate(Int)
    /// So many texts, those that are none left out, with the text before them in between; NULL when
    /// there is no text.
    case join(Int)
    /// The part of a text from a place in UTF-16 code units, with so many of them.
    case substring
    /// The first of so many values that is not NULL.
    case coalesce(Int)
    /// The date in a text, by the first that fits of so many of ``CellProgram/dateForms``, less a
    /// zone's offset from UTC in seconds.
    case date(first: Int, count: Int, offset: Int)
    /// A date as text, by one of ``CellProgram/printedForms``.
    case printed(Int)
    // Where to go on.
    case test(CellTest, ifTrue: Int, ifFalse: Int)
    case jump(Int)
  }

  /// The end of a condition that holds, in place of a step.
  package static let holds = -1
  /// The end of a condition that does not hold.
  package static let fails = -2

  package var steps: [Step] = []
  package var constants: [Value] = []
  package var dateForms: [FixedDateForm] = []
  package var printedForms: [PrintedDateForm] = []
  /// The columns that are read.
  package var columns: [Int] = []
  /// The deepest stack.
  package var depth = 0

  package init() {}
}

/// A test of the last values, or of a column.
package enum CellTest: Sendable {
  /// Whether the order of the two last values is one of these. A value that is NULL has an order
  /// only where `withNull` says so.
  case compares(CellOrders, withNull: Bool)
  /// The same of a column and a constant.
  case columnCompares(Int, CellOrders, constant: Int, withNull: Bool)
  /// Whether the last value is NULL.
  case isNull
  /// Whether a value lies between two others, none of them NULL.
  case isBetween
  /// Whether a value lies before or after two others; one that is NULL excludes nothing.
  case isOutside
  /// Whether the last value is one of so many constants in ascending order.
  case isIn(first: Int, count: Int)
  /// Whether two texts match; false when one is no text.
  case text(CellTextTest, CellTextUnit)
}

/// Orders of two values.
package struct CellOrders: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let less = CellOrders(rawValue: 1)
  package static let same = CellOrders(rawValue: 2)
  package static let greater = CellOrders(rawValue: 4)
}

/// What one text is searched for in another by.
package enum CellTextUnit: Sendable {
  case bytes
  /// The same in texts that are valid.
  case scalars
  /// Whole letters.
  case letters
  /// The same in texts in ASCII.
  case ascii
}

/// A test of two texts.
package enum CellTextTest: Sendable {
  case equals
  case contains
  case beginsWith
  case endsWith
}

/// A function of a text that is decided where its letters are ASCII. What is no text gives NULL.
package enum CellTextFunction: Sendable {
  case uppercase
  case lowercase
  /// Without white space at both ends.
  case trim
  /// The length in UTF-16 code units.
  case length
  /// The text itself, in which no diacritics can be.
  case withoutDiacritics
  /// A decimal number.
  case number
}
