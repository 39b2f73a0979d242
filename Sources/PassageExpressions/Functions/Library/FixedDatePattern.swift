import Foundation

/// A date pattern of fixed digits, as in `yyyy-MM-dd HH:mm:ss`: a text that has exactly its form is
/// read without a date formatter, which takes twenty times as long and gives the same.
///
/// Whatever is out of the ordinary is left to the formatter: other forms of a field, the Julian
/// calendar, days around a change of the clock, values out of range.
struct FixedDatePattern {
  private enum Part {
    case literal(UInt8)
    case year
    /// A field of two digits, by its place in `fields`.
    case two(Int)
  }

  private let parts: [Part]
  private let timeZone: TimeZone
  private let byteCount: Int

  /// `nil` for a pattern with anything but `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss`, each at most once,
  /// and separators, and for a locale whose digits may be others.
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
    byteCount = parts.reduce(0) { sum, part in
      switch part {
      case .literal: sum + 1
      case .two: sum + 2
      case .year: sum + 4
      }
    }
  }

  /// Seconds since 2001 in UTC; `nil` where the formatter must be asked.
  func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count == byteCount else { return nil }
    var offset = 0
    func number(_ count: Int) -> Int? {
      var value = 0
      for byte in bytes[offset..<offset + count] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      offset += count
      return value
    }
    var year = 0
    var fields = [1, 1, 0, 0, 0]
    for part in parts {
      switch part {
      case .literal(let byte):
        guard bytes[offset] == byte else { return nil }
        offset += 1
      case .year:
        guard let value = number(4) else { return nil }
        year = value
      case .two(let field):
        guard let value = number(2) else { return nil }
        fields[field] = value
      }
    }
    guard (1600...9998).contains(year), (1...12).contains(fields[0]),
      (1...28).contains(fields[1])
        || (29...31).contains(fields[1]) && fields[1] <= Self.days(fields[0], year), fields[2] < 24,
      fields[3] < 60, fields[4] < 60
    else { return nil }
    let local =
      Double(Self.daysSince2001(year, fields[0], fields[1])) * 86_400
      + Double(fields[2] * 3_600 + fields[3] * 60 + fields[4])
    // No clock changes within a day: the offset is certain, and the local time is there once.
    let offsets = [local - 129_600, local + 129_600].map {
      timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: $0))
    }
    return offsets[0] == offsets[1] ? local - Double(offsets[0]) : nil
  }

  private static func days(_ month: Int, _ year: Int) -> Int {
    switch month {
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days of the Gregorian calendar, counted in eras of 400 years from 1 March.
  private static func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = y / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 730_791
  }
}
