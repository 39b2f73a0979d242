internal import PassageValues

/// Converts dates in the form of RFC 3339 (`2001-01-01T00:00:00Z`). It is strict; Foundation's
/// parser accepts 30 February and text after the end.
///
/// Times are seconds since 2001-01-01 00:00:00 UTC, as in a store, in the Gregorian calendar of the
/// years 1 to 9999.
enum InternetDate {
  /// The seconds for a text; `nil` if it is not exactly a date, a time and an offset.
  static func seconds(_ text: String) -> Double? {
    var rest = Array(text.utf8)[...]
    guard let year = number(&rest, 4, 1...9999), skip("-", &rest),
      let month = number(&rest, 2, 1...12), skip("-", &rest),
      let day = number(&rest, 2, 1...GregorianMonth.dayCount(month, of: year)), skip("T", &rest),
      let hour = number(&rest, 2, 0...23), skip(":", &rest),
      let minute = number(&rest, 2, 0...59), skip(":", &rest),
      let second = number(&rest, 2, 0...59), let fraction = fraction(&rest),
      let offset = offset(&rest), rest.isEmpty
    else { return nil }
    let days = daysBefore(year) + daysBefore(month, year) + day - 1
    return Double(((days * 24 + hour) * 60 + minute - offset) * 60 + second) + fraction
  }

  /// The text for whole seconds; `nil` for fractions and for years that the format cannot
  /// represent.
  static func text(_ seconds: Double) -> String? {
    guard let total = Int64(exactly: seconds), total.magnitude < 1 << 40 else { return nil }
    var (days, second) = Int(total).quotientAndRemainder(dividingBy: 86_400)
    if second < 0 { (days, second) = (days - 1, second + 86_400) }
    // The first estimate is at most one year too large.
    var year = 2001 + Int((Double(days) / 365.2425).rounded(.down))
    guard (2...9998).contains(year) else { return nil }
    if daysBefore(year) > days { year -= 1 }
    if daysBefore(year + 1) <= days { year += 1 }
    var day = days - daysBefore(year)
    var month = 1
    while day >= GregorianMonth.dayCount(month, of: year) {
      day -= GregorianMonth.dayCount(month, of: year)
      month += 1
    }
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day + 1, 2))"
    let time = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, 2) }
    return "\(date)T\(time.joined(separator: ":"))Z"
  }

  // MARK: Calendar

  /// Days from 2001-01-01 to the first of January of a year.
  private static func daysBefore(_ year: Int) -> Int {
    let past = year - 1
    return past * 365 + past / 4 - past / 100 + past / 400 - 730_485
  }

  /// The number of days of the year before a month.
  private static func daysBefore(_ month: Int, _ year: Int) -> Int {
    (1..<month).reduce(0) { $0 + GregorianMonth.dayCount($1, of: year) }
  }

  // MARK: Text

  private static func number(
    _ rest: inout ArraySlice<UInt8>, _ digits: Int, _ range: ClosedRange<Int>
  ) -> Int? {
    let head = rest.prefix(digits)
    guard head.count == digits, head.allSatisfy(isDigit) else { return nil }
    rest = rest.dropFirst(digits)
    let number = head.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(number) ? number : nil
  }

  private static func skip(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Parses what follows the seconds: nothing, or a point and at least one digit.
  private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Double? {
    guard skip(".", &rest) else { return 0 }
    let digits = rest.prefix(while: isDigit)
    rest = rest.dropFirst(digits.count)
    return digits.isEmpty ? nil : Double("0." + String(decoding: digits, as: UTF8.self))
  }

  /// Parses the offset in minutes east of Greenwich.
  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
    if skip("Z", &rest) { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard isWest ? skip("-", &rest) : skip("+", &rest),
      let hours = number(&rest, 2, 0...23), skip(":", &rest),
      let minutes = number(&rest, 2, 0...59)
    else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
