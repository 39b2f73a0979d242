internal import PassageValues

/// Dates as text in ISO 8601.
package enum DateText {
  /// Seconds between the beginnings of 1970 and 2001 in UTC.
  package static let reference = 978_307_200.0

  /// Seconds since 2001 in UTC for `2010-03-19`, `2010-03-19 08:30`, `2010-03-19T08:30:15.25Z` or
  /// `2010-03-19 08:30:15+01:00`. A text without time zone is in UTC, as in SQLite. `nil` for any
  /// other text.
  package static func seconds(_ text: String) -> Double? {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(digits: 4), scanner.take("-"),
      let month = scanner.number(digits: 2), scanner.take("-"),
      let day = scanner.number(digits: 2), (1...12).contains(month),
      (1...GregorianMonth.dayCount(month, of: year)).contains(day)
    else { return nil }
    var seconds = daysSince1970(year, month, day) * 86_400 - Int64(reference)
    var fraction: Substring = ""
    if scanner.take(" ") || scanner.take("T") {
      guard let hour = scanner.number(digits: 2), hour < 24, scanner.take(":"),
        let minute = scanner.number(digits: 2), minute < 60
      else { return nil }
      seconds += Int64(hour * 3_600 + minute * 60)
      if scanner.take(":") {
        guard let second = scanner.number(digits: 2), second < 60 else { return nil }
        seconds += Int64(second)
        if scanner.take(".") {
          guard let digits = scanner.fraction() else { return nil }
          fraction = digits
        }
      }
      if scanner.take("Z") {
      } else if let sign = scanner.take("+") ? Int64(1) : scanner.take("-") ? -1 : nil {
        guard let hour = scanner.number(digits: 2), hour < 24 else { return nil }
        _ = scanner.take(":")
        guard let minute = scanner.number(digits: 2), minute < 60 else { return nil }
        seconds -= sign * Int64(hour * 3_600 + minute * 60)
      }
    }
    return scanner.isAtEnd ? number(seconds, fraction) : nil
  }

  /// The number nearest to whole seconds and the digits of a fraction. Adding the two would round
  /// twice.
  private static func number(_ whole: Int64, _ digits: Substring) -> Double? {
    guard whole < 0, let parts = Int64(digits), parts > 0 else {
      return Double("\(whole).\(digits.isEmpty ? "0" : digits)")
    }
    // -5 s and 0.25 s are -4.75 s.
    var scale: Int64 = 1
    for _ in digits { scale *= 10 }
    let rest = "\(scale - parts)"
    let zeros = String(repeating: "0", count: max(0, digits.utf8.count - rest.utf8.count))
    return Double("-\(-whole - 1).\(zeros)\(rest)")
  }

  /// More do not fit a 64-bit number.
  private static let maximumDigits = 18

  /// `2010-03-19 08:30:15` in UTC, with as many fractional digits, up to 18, as are needed to read the same
  /// number back; `nil` for a date outside the years 0001 to 9999.
  package static func text(_ seconds: Double) -> String? {
    let whole = seconds.rounded(.down)
    guard whole >= -63_113_904_000, whole < 252_423_993_600 else { return nil }
    let since1970 = Int64(whole) + Int64(reference)
    let (days, second) = (
      since1970.floored(by: 86_400), since1970 - since1970.floored(by: 86_400) * 86_400
    )
    let (year, month, day) = date(daysSince1970: days)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let yearText = String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)"
    let base =
      "\(yearText)-\(two(month))-\(two(day)) "
      + "\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
    guard seconds != whole else { return base }
    // The distance to the second before rounds to a whole one.
    guard seconds - whole < 1 else { return text(whole + 1) }
    var scale = 10.0
    for digits in 1...maximumDigits {
      let fraction = ((seconds - whole) * scale).rounded()
      if fraction < scale {
        let digitsText = "\(Int64(fraction))"
        let text =
          base + "." + String(repeating: "0", count: digits - digitsText.count) + digitsText
        if digits == maximumDigits || Self.seconds(text) == seconds { return text }
      }
      scale *= 10
    }
    return base
  }

  // MARK: The calendar

  /// The proleptic Gregorian calendar, in eras of 400 years from 1 March.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let y = Int64(month <= 2 ? year - 1 : year)
    let era = y.floored(by: 400)
    let yearOfEra = y - era * 400
    let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted.floored(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthOfYear = (5 * dayOfYear + 2) / 153
    let month = monthOfYear < 10 ? monthOfYear + 3 : monthOfYear - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthOfYear + 2) / 5 + 1
    )
  }
}

extension Int64 {
  /// The quotient rounded down, for a positive divisor.
  fileprivate func floored(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
  }
}

/// Reads ASCII digits and single characters from the front of a text.
private struct DigitScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads exactly this number of digits.
  mutating func number(digits: Int) -> Int? {
    let taken = rest.prefix(digits)
    guard taken.count == digits, taken.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    rest.removeFirst(digits)
    return taken.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Reads the digits after a decimal point, at most 18 of them.
  mutating func fraction() -> Substring? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard (1...18).contains(digits.count) else { return nil }
    rest.removeFirst(digits.count)
    return Substring(digits)
  }
}
