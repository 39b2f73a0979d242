import PassageValues

/// Converts dates to ISO 8601 text and back: the profile of RFC 3339, slightly extended.
///
/// The calendar is the proleptic Gregorian one; a year has four digits; there are no leap seconds,
/// as in POSIX time.
package enum ISO8601 {
  /// 2001-01-01 in days since 1970-01-01.
  private static let referenceDay: Int64 = 11_323

  /// Seconds since 2001-01-01 UTC for `2024-01-01`, `2024-01-01T00:00Z`, `2024-01-01T00:00:00.25Z`,
  /// `2024-01-01 01:00:00+01:00` or `2024-01-01 00:00:00`; `nil` for anything else. A date without
  /// time is midnight UTC, and a time without zone is UTC, as SQLite's `date()` and `datetime()`
  /// write them: https://www.sqlite.org/lang_datefunc.html, section 2.
  static func seconds(_ text: String) -> Double? {
    var scanner = Scanner(bytes: Array(text.utf8))
    guard text.utf8.count <= 64, let year = scanner.digits(4), scanner.skip("-"),
      let month = scanner.digits(2), scanner.skip("-"), let day = scanner.digits(2),
      (1...12).contains(month), day >= 1, day <= GregorianMonth.dayCount(month, of: year)
    else { return nil }
    let days = days(year, month, day) - referenceDay
    if scanner.isAtEnd { return Double(days * 86_400) }
    guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
      let hour = scanner.digits(2), scanner.skip(":"), let minute = scanner.digits(2),
      hour < 24, minute < 60
    else { return nil }
    var second: Int64 = 0
    var fraction = 0.0
    if scanner.skip(":") {
      guard let value = scanner.digits(2), value < 60 else { return nil }
      second = value
      if scanner.skip(".") || scanner.skip(",") {
        guard let value = scanner.fraction() else { return nil }
        fraction = value
      }
    }
    guard let offset = scanner.isAtEnd ? 0 : scanner.zone(), scanner.isAtEnd else { return nil }
    return Double(days * 86_400 + hour * 3_600 + minute * 60 + second - offset) + fraction
  }

  /// `2024-01-01T00:00:00Z`, with up to six fractional digits if there is a fraction; `nil` outside
  /// the years 0 to 9999.
  package static func text(_ seconds: Double) -> String? {
    guard (-63_200_000_000...252_500_000_000).contains(seconds) else { return nil }
    let whole = seconds.rounded(.down)
    var micros = Int(((seconds - whole) * 1_000_000).rounded())
    var total = Int(whole) + Int(referenceDay) * 86_400
    if micros == 1_000_000 {
      micros = 0
      total += 1
    }
    // The era before is the year 0 up to its March; a formatter's calendar begins later.
    let moment = DateFields(localMilliseconds: (total + DateFields.secondsOfEra) * 1_000)
    let year = moment.year - 400
    guard (0...9_999).contains(year) else { return nil }
    return String(unsafeUninitializedCapacity: 27) { buffer in
      var digits = DigitWriter(buffer: buffer)
      digits.write(year, 4)
      digits.write(UInt8(ascii: "-"))
      digits.write(moment.month, 2)
      digits.write(UInt8(ascii: "-"))
      digits.write(moment.day, 2)
      digits.write(UInt8(ascii: "T"))
      digits.write(moment.hour, 2)
      digits.write(UInt8(ascii: ":"))
      digits.write(moment.minute, 2)
      digits.write(UInt8(ascii: ":"))
      digits.write(moment.second, 2)
      if micros > 0 {
        var (fraction, width) = (micros, 6)
        while fraction.isMultiple(of: 10) { (fraction, width) = (fraction / 10, width - 1) }
        digits.write(UInt8(ascii: "."))
        digits.write(fraction, width)
      }
      digits.write(UInt8(ascii: "Z"))
      return digits.count
    }
  }

  // MARK: Calendar

  /// Days since 1970-01-01. A year begins in March, so that the leap day is its last.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year + 399 : year + 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear
      - (719_468 + 146_097)
  }

  private struct Scanner {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    mutating func digit() -> Int64? {
      guard position < bytes.count, (0x30...0x39).contains(bytes[position]) else { return nil }
      position += 1
      return Int64(bytes[position - 1]) - 0x30
    }

    mutating func digits(_ count: Int) -> Int64? {
      var value: Int64 = 0
      for _ in 0..<count {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value
    }

    mutating func fraction() -> Double? {
      var text = "0."
      while let digit = digit() { text += String(digit) }
      return text.count > 2 ? Double(text) : nil
    }

    /// Seconds east of UTC.
    mutating func zone() -> Int64? {
      if skip("Z") || skip("z") { return 0 }
      let sign: Int64
      if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
      guard let hours = digits(2), hours < 24 else { return nil }
      if isAtEnd { return sign * hours * 3_600 }
      _ = skip(":")
      guard let minutes = digits(2), minutes < 60 else { return nil }
      return sign * (hours * 3_600 + minutes * 60)
    }
  }
}
