public import Foundation
public import PassageValues

extension Value {
  /// Prints dates as a date formatter prints them, in a small part of its time.
  ///
  /// A policy that prints a date of every object takes a style of a locale
  /// (``styled(date:time:locale:timeZone:)``), or sets up a formatter in `init` and hands it over:
  ///
  /// ```swift
  /// let formatter = DateFormatter()
  /// formatter.locale = Locale(identifier: "en_US")
  /// formatter.timeZone = TimeZone(identifier: "UTC")
  /// formatter.dateFormat = "EEEE, d MMMM yyyy"
  /// printer = Value.DatePrinter(formatter)
  /// ```
  ///
  /// Patterns and styles of years, months, days, weekdays, hours, minutes, seconds, and the halves of
  /// the day are printed without the formatter, if a comparison at dates in every month, on every
  /// weekday and in both halves of the day shows the same bytes. Anything else is printed by the
  /// formatter itself: other calendars, fields and digits, relative dates, dates before 1600, and, in
  /// time zones with clock changes, dates before 1960 and after 2059.
  public struct DatePrinter: Sendable {
    private let formatter: DateFormatter
    /// `nil` if every date must be printed by the formatter.
    private let pattern: DatePattern?

    /// Compares with the formatter, which takes about as long as printing a hundred dates with it.
    ///
    /// - Parameter formatter: the formatter, completely set up. It must not be changed afterwards.
    public init(_ formatter: DateFormatter) {
      self.formatter = formatter
      pattern = DatePattern(checkedAgainst: formatter)
    }

    /// Whether common dates are printed without the formatter.
    package var isFast: Bool { pattern != nil }

    /// The form of common dates; `nil` if every date must be printed by the formatter.
    package var form: PrintedDateForm? { pattern?.form }

    /// The date as text, exactly as `DateFormatter.string(from:)` returns it.
    public func string(from date: Date) -> String {
      pattern?.text(date.timeIntervalSinceReferenceDate) ?? formatter.string(from: date)
    }
  }
}
