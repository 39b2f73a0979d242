/// A form in which dates are printed: simple fields of the Gregorian calendar, with the texts of a
/// locale, in a time zone.
package struct PrintedDateForm: Sendable {
  /// What one run of a letter prints.
  package enum Field: Sendable {
    /// At least so many digits; the last two where the flag says so.
    case year(digits: Int, isShort: Bool)
    case month(digits: Int)
    case day(digits: Int)
    /// 0 to 23.
    case hour(digits: Int)
    /// 1 to 12.
    case hourOfHalf(digits: Int)
    case minute(digits: Int)
    case second(digits: Int)
    /// The first digits of the fraction of a second.
    case fraction(digits: Int)
    /// Texts, from this one on.
    case monthName(first: Int)
    case weekdayName(first: Int)
    case halfOfDay(first: Int)
    case literal(Int)
  }

  private var fields: [Field] = []
  /// The bytes of all texts, and where each begins; one more at the end.
  private var bytes: [UInt8] = []
  private var starts = [0]
  /// The longest text in bytes.
  package private(set) var maximumCount = 0
  private let offsets: ZoneOffsets

  package init(offsets: ZoneOffsets) { self.offsets = offsets }

  package var isEmpty: Bool { fields.isEmpty }

  /// The moments that can be printed, in milliseconds since 1970.
  package var range: Range<Int> { offsets.range }

  package mutating func add(_ field: Field) {
    fields.append(field)
    maximumCount += maximumCount(of: field)
  }

  /// Adds texts and returns the index of the first.
  package mutating func add(texts: [String]) -> Int {
    for text in texts {
      bytes += Array(text.utf8)
      starts.append(bytes.count)
    }
    return starts.count - 1 - texts.count
  }

  private func maximumCount(of field: Field) -> Int {
    func longest(_ first: Int, _ count: Int) -> Int {
      (first..<first + count).map { starts[$0 + 1] - starts[$0] }.max() ?? 0
    }
    return switch field {
    case .year(let digits, _): max(4, digits)
    case .fraction(let digits): digits
    case .month, .day, .hour, .hourOfHalf, .minute, .second: 2
    case .monthName(let first): longest(first, 12)
    case .weekdayName(let first): longest(first, 7)
    case .halfOfDay(let first): longest(first, 2)
    case .literal(let text): longest(text, 1)
    }
  }

  // MARK: Printing

  /// Writes the text of a date.
  ///
  /// - Parameters:
  ///   - seconds: since 2001 in UTC.
  ///   - buffer: with room for ``maximumCount`` bytes.
  /// - Returns: how many bytes it has; `nil` for a date outside ``range``.
  package func write(_ seconds: Double, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    // The formatter rounds to the nearest millisecond in these very steps.
    let rounded = ((seconds + Self.secondsTo2001) * 1_000 + 0.5).rounded(.down)
    guard let milliseconds = Int(exactly: rounded), offsets.range.contains(milliseconds) else {
      return nil
    }
    return write(
      DateFields(localMilliseconds: milliseconds + offsets.offset(at: milliseconds)), into: buffer)
  }

  /// From 1970 to 2001.
  private static let secondsTo2001 = 978_307_200.0

  private func write(_ moment: DateFields, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var digits = DigitWriter(buffer: buffer)
    for index in fields.indices {
      switch fields[index] {
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
