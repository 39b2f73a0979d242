/// A form of dates with a fixed place for each digit, such as `2001-12-31 23:59:59`. Texts are read
/// by it in the Gregorian calendar and at a fixed offset from UTC.
///
/// It is plain bytes: no reference is counted where it reads the texts of many rows.
package struct FixedDateForm: Sendable {
  /// A field of digits.
  package enum Field: Int, Sendable, CaseIterable {
    /// Four digits; the others have two.
    case year
    case month
    case day
    case hour
    case minute
    case second

    package var digits: Int { self == .year ? 4 : 2 }
  }

  /// The longest form in bytes.
  package static let maximumCount = 32
  /// In place of a digit.
  private static let digit: UInt8 = 0

  private(set) package var byteCount = 0
  /// The separators, and ``digit``.
  private var pattern = SIMD32<UInt8>(repeating: 0)
  /// Where each field begins; -1 for a field that the form does not have.
  private var places = SIMD8<Int32>(repeating: -1)

  package init() {}

  /// The form of a pattern: each letter of a field stands for a digit, everything else for itself.
  package init?(pattern: String) {
    let letters: [Character: Field] = [
      "y": .year, "M": .month, "d": .day, "H": .hour, "m": .minute, "s": .second,
    ]
    var rest = Substring(pattern)
    while let first = rest.first {
      let run = letters[first].map { min($0.digits, rest.prefix { $0 == first }.count) } ?? 1
      rest = rest.dropFirst(run)
      if let field = letters[first] {
        guard run == field.digits, append(field) else { return nil }
      } else {
        guard let byte = first.asciiValue, append(separator: byte) else { return nil }
      }
    }
  }

  package func has(_ field: Field) -> Bool { places[field.rawValue] >= 0 }

  /// Appends a field.
  ///
  /// - Returns: false when the form has it already, or becomes too long.
  package mutating func append(_ field: Field) -> Bool {
    guard !has(field), byteCount + field.digits <= Self.maximumCount else { return false }
    places[field.rawValue] = Int32(byteCount)
    byteCount += field.digits
    return true
  }

  /// Appends a separator in ASCII.
  ///
  /// - Returns: false when the form becomes too long.
  package mutating func append(separator: UInt8) -> Bool {
    guard separator != Self.digit, separator < 0x80, byteCount < Self.maximumCount else {
      return false
    }
    pattern[byteCount] = separator
    byteCount += 1
    return true
  }

  /// The time that a text gives, as if it were in UTC, in seconds since 2001; `nil` for a text of
  /// another form, a year outside 1600 to 9998, or a field out of its range.
  package func seconds(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count == byteCount, byteCount <= Self.maximumCount else { return nil }
    for index in 0..<byteCount {
      let byte = bytes[index]
      let expected = pattern[index]
      guard expected == Self.digit ? byte &- 0x30 < 10 : byte == expected else { return nil }
    }
    let year = self.year(bytes)
    let month = number(.month, bytes, missing: 1)
    let day = number(.day, bytes, missing: 1)
    let hour = number(.hour, bytes, missing: 0)
    let minute = number(.minute, bytes, missing: 0)
    let second = number(.second, bytes, missing: 0)
    guard year >= 1600, year <= 9998, month >= 1, month <= 12, day >= 1,
      day <= 28 || day <= GregorianMonth.dayCount(month, of: year), hour < 24, minute < 60,
      second < 60
    else { return nil }
    return Self.daysSince2001(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
  }

  @inline(__always)
  private func year(_ bytes: UnsafeRawBufferPointer) -> Int {
    let place = Int(places[Field.year.rawValue])
    return place < 0 ? 2001 : Self.two(bytes, place) * 100 + Self.two(bytes, place + 2)
  }

  @inline(__always)
  private func number(_ field: Field, _ bytes: UnsafeRawBufferPointer, missing: Int) -> Int {
    let place = Int(places[field.rawValue])
    return place < 0 ? missing : Self.two(bytes, place)
  }

  @inline(__always)
  private static func two(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int {
    Int(bytes[place] &- 0x30) * 10 + Int(bytes[place + 1] &- 0x30)
  }

  /// Days in the Gregorian calendar, computed in eras of 400 years from 1 March.
  private static func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = y / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 730_791
  }
}
