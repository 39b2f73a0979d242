/// Months of the Gregorian calendar, as ISO 8601 continues it before 1582.
package enum GregorianMonth {
  /// The number of days of a month.
  ///
  /// - Parameters:
  ///   - month: from 1 to 12.
  ///   - year: any; 0 is the year before 1.
  @inlinable
  package static func dayCount<Number: BinaryInteger>(_ month: Number, of year: Number) -> Number {
    switch month {
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
