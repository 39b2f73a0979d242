internal import PassageStores

extension AttributeText {
  /// Seconds between the beginnings of 1970 and 2001.
  private static let unixReference = Int64(DateText.reference)

  /// Parses a date as seconds since 2001.
  func date(_ text: String) throws(ValueMistake) -> Double {
    let found =
      switch style.dates {
      case .iso: Self.calendarDate(text)
      case .unix: Self.seconds(text, before: Self.unixReference)
      case .reference: Double(text).flatMap { $0.isFinite ? $0 : nil }
      }
    guard let found else {
      throw ValueMistake(
        text: style.dates == .iso ? "a date like 2010-03-19T08:30:15Z" : "a number of seconds")
    }
    return found
  }

  /// The text of a date in this style.
  func text(ofDate seconds: Double) throws(ValueMistake) -> String {
    guard seconds.isFinite else { throw ValueMistake(text: "an infinite date") }
    if style.dates == .reference {
      return Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }
    guard let parts = DecimalText.parts(seconds) else {
      throw ValueMistake(text: "a date beyond the calendar")
    }
    let fraction = String(decoding: parts.fraction, as: UTF8.self)
    if style.dates == .unix {
      let (whole, digits) = Self.signed(
        DecimalText.Parts(whole: parts.whole + Self.unixReference, fraction: parts.fraction))
      return digits.isEmpty ? whole : "\(whole).\(digits)"
    }
    guard let base = DateText.text(Double(parts.whole)) else {
      throw ValueMistake(text: "a date beyond the years 1 to 9999", isDateOfAnotherStyle: true)
    }
    return base.replacing(" ", with: "T") + (fraction.isEmpty ? "" : ".\(fraction)") + "Z"
  }

  /// Whole units and digits of a fraction, both with the sign of the number.
  private static func signed(_ parts: DecimalText.Parts) -> (whole: String, fraction: String) {
    let digits = String(decoding: parts.fraction, as: UTF8.self)
    guard parts.whole < 0, !parts.fraction.isEmpty else { return ("\(parts.whole)", digits) }
    let last = parts.fraction.count - 1
    let complement = parts.fraction.enumerated().map { index, digit in
      UInt8(ascii: "0") + (index == last ? 10 : 9) - (digit - UInt8(ascii: "0"))
    }
    return ("-\(-parts.whole - 1)", String(decoding: complement, as: UTF8.self))
  }

  private static func calendarDate(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard let point = bytes.firstIndex(of: UInt8(ascii: ".")) else {
      return DateText.seconds(text)
    }
    let fraction = bytes[(point + 1)...].prefix(while: DecimalText.isDigit)
    guard !fraction.isEmpty else { return nil }
    let rest = bytes[..<point] + bytes[fraction.endIndex...]
    // A fraction is only allowed after seconds.
    guard bytes[..<point].count(where: { $0 == UInt8(ascii: ":") }) == 2,
      let whole = DateText.seconds(String(decoding: rest, as: UTF8.self)),
      let exact = Int64(exactly: whole)
    else { return nil }
    return DecimalText.number(DecimalText.Parts(whole: exact, fraction: Array(fraction)))
  }

  /// Parses a number of seconds and subtracts a whole number from it.
  private static func seconds(_ text: String, before shift: Int64) -> Double? {
    let isNegative = text.hasPrefix("-")
    let halves = text.utf8.drop { $0 == UInt8(ascii: "-") }.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = halves.first, first.allSatisfy(DecimalText.isDigit), first.count <= 17,
      let whole = Int64(Substring(first))
    else { return Double(text).flatMap { $0.isFinite ? $0 - Double(shift) : nil } }
    let fraction = halves.count > 1 ? Array(halves[1]) : []
    guard halves.count == 1 || !fraction.isEmpty, fraction.allSatisfy(DecimalText.isDigit) else {
      return nil
    }
    let digits = Array(fraction.reversed().drop { $0 == UInt8(ascii: "0") }.reversed())
    let above = signed(DecimalText.Parts(whole: isNegative ? -whole - 1 : whole, fraction: digits))
    let parts =
      isNegative
      ? digits.isEmpty
        ? DecimalText.Parts(whole: -whole - shift, fraction: [])
        : DecimalText.Parts(whole: -whole - 1 - shift, fraction: Array(above.fraction.utf8))
      : DecimalText.Parts(whole: whole - shift, fraction: digits)
    return DecimalText.number(parts)
  }
}
