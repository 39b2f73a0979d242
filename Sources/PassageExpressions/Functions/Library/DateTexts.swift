import Foundation
import PassageDiagnostics
import PassagePlatform
import PassageValues

/// Converts dates to text and back by a pattern of Unicode Technical Standard 35
/// (https://unicode.org/reports/tr35/tr35-dates.html#Date_Format_Patterns), in Foundation's Gregorian
/// calendar, with an explicit time zone and locale, so that the result is the same on every
/// machine.
final class DateTexts: Sendable {
  private struct Key: Hashable {
    var pattern: ExactText
    var timeZone: ExactText
    var locale: ExactText

    init(_ pattern: String, _ timeZone: String, _ locale: String) {
      self.pattern = ExactText(pattern)
      self.timeZone = ExactText(timeZone)
      self.locale = ExactText(locale)
    }
  }

  /// The range of dates in seconds since 2001: the years 1 to 9999 of a formatter's calendar, which is the
  /// Julian one before 15 October 1582. Its year 1 begins with `Date.distantPast`.
  static let range: Range<Double> = -63_114_076_800..<252_423_993_600

  private static let maximumPatternLength = 200
  private let formatters = Memo<Key, Reader>()

  /// A formatter, and what is faster for dates and patterns that allow it.
  private struct Reader {
    var formatter: DateFormatter
    var printer: Value.DatePrinter
    var fixed: FixedDatePattern?
  }

  /// - Throws: `PRE-040` for a date outside the years 1 to 9999, `PRE-044`.
  func text(_ seconds: Double, _ pattern: String, _ timeZone: String, _ locale: String) throws
    -> Value
  {
    guard Self.range.contains(seconds) else {
      throw Diagnostic(
        FunctionCode.unreadable, "the date is outside the years 1 to 9999")
    }
    return .text(
      try use(pattern, timeZone, locale) {
        $0.printer.string(from: Date(timeIntervalSinceReferenceDate: seconds))
      })
  }

  /// - Throws: `PRE-040` for a text that is not a date in this form, `PRE-044`.
  func date(_ text: String, _ pattern: String, _ timeZone: String, _ locale: String) throws -> Value
  {
    let seconds = try use(pattern, timeZone, locale) { reader -> Double? in
      if let seconds = reader.fixed?.seconds(text) { return seconds }
      return text.utf8.count > 1_000
        ? nil : reader.formatter.date(from: text)?.timeIntervalSinceReferenceDate
    }
    guard let seconds, Self.range.contains(seconds) else {
      throw Diagnostic(
        FunctionCode.unreadable, "a text is not a date in the pattern “\(pattern)”",
        remedy: "call parseDateOrNull, which returns nil, or filter such objects out")
    }
    return .real(seconds)
  }

  /// The form of a pattern of fixed digits in a zone without clock changes, and the zone's offset
  /// from UTC in seconds; `nil` for any other pattern. What it reads is what ``date(_:_:_:_:)`` gives.
  static func fixedForm(
    _ pattern: String, _ timeZone: String, _ locale: String
  ) -> (form: FixedDateForm, offset: Int)? {
    guard pattern.utf8.count <= maximumPatternLength, let zone = TimeZone(identifier: timeZone),
      let fixed = FixedDatePattern(pattern, timeZone: zone, locale: locale),
      let offset = fixed.fixedOffset
    else { return nil }
    return (fixed.form, offset)
  }

  /// The form in which ``text(_:_:_:_:)`` prints common dates; `nil` for a pattern that the formatter
  /// must print.
  static func printedForm(
    _ pattern: String, _ timeZone: String, _ locale: String
  ) -> PrintedDateForm? {
    let key = Key(pattern, timeZone, locale)
    return (try? make(key))?.printer.form
  }

  private func use<Result: Sendable>(
    _ pattern: String, _ timeZone: String, _ locale: String, _ body: (Reader) -> Result
  ) throws -> Result {
    let key = Key(pattern, timeZone, locale)
    return try formatters.use(key, make: Self.make) { body($0) }
  }

  private static func make(_ key: Key) throws -> sending Reader {
    let formatter = DateFormatter()
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.locale = try LocaleNames.locale(key.locale.text)
    formatter.timeZone = try TimeZoneNames.zone(key.timeZone.text)
    formatter.isLenient = false
    // A year of two digits is between 1950 and 2049, whatever the date of the run.
    formatter.twoDigitStartDate = Date(timeIntervalSince1970: -631_152_000)
    let pattern = key.pattern.text
    guard !pattern.isEmpty, pattern.utf8.count <= maximumPatternLength else {
      throw Diagnostic(
        FunctionCode.badArgument,
        "a date pattern has 1 to \(maximumPatternLength) characters, as in “yyyy-MM-dd”")
    }
    formatter.dateFormat = pattern
    return Reader(
      formatter: formatter, printer: Value.DatePrinter(formatter),
      fixed: FixedDatePattern(
        pattern, timeZone: try TimeZoneNames.zone(key.timeZone.text), locale: key.locale.text))
  }

  /// Checks a constant pattern, time zone or locale.
  static func check(_ arguments: [Value?]) throws {
    guard arguments.count == 4 else { return }
    let parts = arguments.dropFirst().map { $0?.string }
    _ = try make(Key(parts[0] ?? "yyyy", parts[1] ?? "UTC", parts[2] ?? "en_US"))
  }
}

/// Names of time zones.
enum TimeZoneNames {
  /// - Throws: `PRE-044` for an unknown one; the current time zone is never used instead.
  static func zone(_ name: String) throws -> TimeZone {
    if let zone = TimeZone(identifier: name) { return zone }
    throw Diagnostic(
      FunctionCode.badArgument, "there is no time zone “\(name)”",
      remedy: nearest(to: name, in: TimeZone.knownTimeZoneIdentifiers).map {
        "did you mean “\($0)”?"
      }
        ?? "name one as in “UTC”, “Europe/Berlin” or “GMT+02:00”")
  }
}

/// Names of locales.
enum LocaleNames {
  /// Some that every system has. To list all of them takes longer than printing the dates of a small
  /// store.
  static let common: Set<String> = [
    "cs_CZ", "da_DK", "de", "de_AT", "de_CH", "de_DE", "el_GR", "en", "en_AU", "en_CA", "en_GB",
    "en_IE", "en_IN", "en_NZ", "en_US", "en_US_POSIX", "es", "es_ES", "es_MX", "fi_FI", "fr",
    "fr_CA", "fr_CH", "fr_FR", "he_IL", "hu_HU", "id_ID", "it", "it_IT", "ja", "ja_JP", "ko",
    "ko_KR", "nb_NO", "nl", "nl_BE", "nl_NL", "pl", "pl_PL", "pt", "pt_BR", "pt_PT", "ro_RO",
    "ru", "ru_RU", "sk_SK", "sv_SE", "th_TH", "tr_TR", "uk_UA", "vi_VN",
  ]

  /// - Throws: `PRE-044` for an unknown language; the current locale is never used instead.
  static func locale(_ name: String) throws -> Locale {
    let canonical = name.replacingOccurrences(of: "-", with: "_")
    if common.contains(canonical) || known.contains(canonical) {
      return Locale(identifier: canonical)
    }
    throw Diagnostic(
      FunctionCode.badArgument, "there is no locale “\(name)”",
      remedy: nearest(to: canonical, in: known.sorted()).map { "did you mean “\($0)”?" }
        ?? "name one as in “en_US” or “de_DE”")
  }

  private static let known = Set(Locale.availableIdentifiers)
}
