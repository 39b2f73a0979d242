import Foundation

extension DatePattern {
  /// The text of a date; `nil` if the formatter must print it.
  ///
  /// - Parameter seconds: seconds since 2001 in UTC.
  func text(_ seconds: Double) -> String? {
    // The formatter rounds to the nearest millisecond in these very steps.
    let rounded = ((seconds + Date.timeIntervalBetween1970AndReferenceDate) * 1_000 + 0.5)
      .rounded(.down)
    guard let milliseconds = Int(exactly: rounded), offsets.range.contains(milliseconds) else {
      return nil
    }
    let moment = DateFields(localMilliseconds: milliseconds + offsets.offset(at: milliseconds))
    return String(unsafeUninitializedCapacity: maximumCount) { write(moment, into: $0) }
  }

  /// Writes the text and returns how many bytes it has: at most ``maximumCount``.
  private func write(_ moment: DateFields, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var digits = DigitWriter(buffer: buffer)
    for field in fields {
      switch field {
      case .year(_, isShort: true): digits.write(moment.year % 100, 2)
      case .year(let width, _): digits.write(moment.year, max(4, width))
      case .month(let width): digits.write(moment.month, width)
      case .day(let width): digits.write(moment.day, width)
      case .hour(let width): digits.write(moment.hour, width)
      case .hourOfHalf(let width): digits.write((moment.hour + 11) % 12 + 1, width)
      case .minute(let width): digits.write(moment.minute, width)
      case .second(let width): digits.write(moment.second, width)
      case .fraction(let width):
        digits.write(moment.millisecond / (width == 1 ? 100 : width == 2 ? 10 : 1), width)
      case .monthName(let first): write(first + moment.month - 1, &digits)
      case .weekdayName(let first): write(first + moment.weekday, &digits)
      case .halfOfDay(let first): write(first + moment.hour / 12, &digits)
      case .literal(let text): write(text, &digits)
      }
    }
    return digits.count
  }

  /// Writes one of the texts.
  private func write(_ text: Int, _ digits: inout DigitWriter) {
    for index in starts[text]..<starts[text + 1] { digits.write(bytes[index]) }
  }
}
