public import Foundation
internal import PassageDiagnostics
internal import PassagePlatform
public import PassageValues

extension Value.DatePrinter {
  private struct Style: Hashable {
    var date: DateFormatter.Style.RawValue
    var time: DateFormatter.Style.RawValue
    var locale: ExactText
    var timeZone: ExactText
  }

  /// The printers that were asked for last. Making one takes longer than printing the dates of a small
  /// store, and a process may migrate thousands of them.
  private static let made = Memo<Style, Value.DatePrinter>()

  /// A printer in the styles of a locale. It is made once in a process for all who ask for the same.
  ///
  /// ```swift
  /// printer = try .styled(date: .medium, time: .short, locale: "en_US", timeZone: "UTC")
  /// ```
  ///
  /// - Parameters:
  ///   - date: how much of the date is printed.
  ///   - time: how much of the time of day is printed.
  ///   - locale: a locale's identifier, such as `en_US`.
  ///   - timeZone: a time zone's identifier, such as `UTC` or `Europe/Berlin`.
  /// - Throws: `PRE-044` if there is no such locale or time zone.
  public static func styled(
    date: DateFormatter.Style, time: DateFormatter.Style = .none, locale: String, timeZone: String
  ) throws -> Value.DatePrinter {
    let style = Style(
      date: date.rawValue, time: time.rawValue, locale: ExactText(locale),
      timeZone: ExactText(timeZone))
    return try made.use(style, make: Self.make) { $0 }
  }

  private static func make(_ style: Style) throws -> sending Value.DatePrinter {
    let formatter = DateFormatter()
    formatter.locale = try LocaleNames.locale(style.locale.text)
    formatter.timeZone = try TimeZoneNames.zone(style.timeZone.text)
    formatter.dateStyle = DateFormatter.Style(rawValue: style.date) ?? .none
    formatter.timeStyle = DateFormatter.Style(rawValue: style.time) ?? .none
    return Value.DatePrinter(formatter)
  }
}
