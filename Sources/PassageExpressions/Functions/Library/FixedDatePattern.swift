import Foundation

/// A date pattern of fixed digits, such as `yyyy-MM-dd HH:mm:ss`. A text of exactly this form is
/// parsed without a date formatter, which takes twenty times as long and gives the same result.
///
/// All special cases are left to the formatter: other forms of a field, the Julian calendar, days
/// around a clock change, values out of range.
struct FixedDatePattern {
  private enum Part {
    case literal(UInt8)
    case year
    /// A field of two digits, with its index in `fields`.
    case two(Int)
  }

  private let parts: [Part]
  private let timeZone: TimeZone
  /// The offset from UTC in seconds of a zone without clock changes; `nil` for any other zone.
  private let fixedOffset: Int?
  private let byteCount: Int

  /// `nil` for a pattern with anything but `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss`, each at most once,
  /// and separators, and for a locale that may use other digits.
  init?(_ pattern: String, timeZone: TimeZone, locale: String) {
    guard locale == "en_US_POSIX" || locale == "en_US" || locale == "en_GB" else { return nil }
    var parts: [Part] = []
    var rest = Substring(pattern)[...]
    var found: Set<Character> = []
    let fields: [Character] = ["M", "d", "H", "m", "s"]
    while let first = rest.first {
      let run = rest.prefix { $0 == first }
      rest = rest.dropFirst(run.count)
      if first == "y", run.count == 4, found.insert(first).inserted {
        parts.append(.year)
      } else if let field = fields.firstIndex(of: first), run.count == 2,
        found.insert(first).inserted
      {
        parts.append(.two(field))
      } else if let byte = first.asciiValue, run.count == 1, "-./: ,".contains(first) {
        parts.append(.literal(byte))
      } else {
        return nil
      }
    }
    guard found.isSuperset(of: ["y", "M", "d"]) else { return nil }
    self.parts = parts
    self.timeZone = timeZone
    fixedOffset = ZoneOffsets.fixedSeconds(timeZone)
    byteCount = parts.reduce(0) { sum, part in
      switch part {
      case .literal: sum + 1
      case .two: sum + 2
      case .year: sum + 4
      }
    }
  }

  /// Seconds since 2001 in UTC; `nil` if the formatter must parse the text.
  func seconds(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { seconds($0) }
  }

  private func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard bytes.count == byteCount else { return nil }
    var offset = 0
    var year = 0
    var (month, day, hour, minute, second) = (1, 1, 0, 0, 0)
    for part in parts {
      switch part {
      case .literal(let byte):
        guard bytes[offset] == byte else { return nil }
        offset += 1
      case .year:
        guard let century = Self.number(bytes, offset), let rest = Self.number(bytes, offset + 2)
        else { return nil }
        year = century * 100 + rest
        offset += 4
      case .two(let field):
        guard let value = Self.number(bytes, offset) else { return nil }
        switch field {
        case 0: month = value
        case 1: day = value
        case 2: hour = value
        case 3: minute = value
        default: second = value
        }
        offset += 2
      }
    }
    guard (1600...9998).contains(year), (1...12).contains(month), day >= 1,
      day <= 28 || day <= Self.days(month, year), hour < 24, minute < 60, second < 60
    else { return nil }
    let local =
      Double(Self.daysSince2001(year, month, day)) * 86_400
      + Double(hour * 3_600 + minute * 60 + second)
    if let fixedOffset { return local - Double(fixedOffset) }
    // There is no clock change nearby, so the offset is certain and the local time is unique.
    let before = secondsAhead(at: local - 129_600)
    return before == secondsAhead(at: local + 129_600) ? local - Double(before) : nil
  }

  private func secondsAhead(at seconds: Double) -> Int {
    timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds))
  }

  /// The number that two digits form at an offset within `bytes`; `nil` for other characters.
  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Int? {
    let (tens, ones) = (bytes[offset] &- 0x30, bytes[offset + 1] &- 0x30)
    return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
  }

  private static func days(_ month: Int, _ year: Int) -> Int {
    switch month {
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
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
