import Foundation

/// A pattern of Unicode Technical Standard 35 that consists of simple fields of the Gregorian
/// calendar, with the texts of its locale.
struct DatePattern {
  /// What one run of a letter prints.
  enum Field {
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

  private(set) var fields: [Field] = []
  /// The bytes of all texts, and where each begins; one more at the end.
  private(set) var bytes: [UInt8] = []
  private(set) var starts = [0]
  private(set) var maximumCount = 0

  let offsets: ZoneOffsets

  /// `nil` for a formatter whose dates, or many of them, must be printed by itself.
  init?(checkedAgainst formatter: DateFormatter) {
    guard !formatter.doesRelativeDateFormatting, formatter.calendar.identifier == .gregorian,
      formatter.gregorianStartDate.map({ $0.timeIntervalSince1970 < -11_676_096_000 }) ?? true,
      let pattern = formatter.dateFormat, let zone = formatter.timeZone,
      let offsets = ZoneOffsets(zone)
    else { return nil }
    self.offsets = offsets
    guard read(pattern, formatter), !fields.isEmpty, isConfirmed(by: formatter) else { return nil }
  }

  /// Reads the pattern; `false` for anything but simple fields.
  private mutating func read(_ pattern: String, _ formatter: DateFormatter) -> Bool {
    var rest = Substring(pattern)
    var literal = ""
    while let first = rest.first {
      if first == "'" {
        guard let text = Self.quoted(&rest) else { return false }
        literal += text
      } else if first.isASCII, first.isLetter {
        let run = rest.prefix { $0 == first }
        rest = rest.dropFirst(run.count)
        add(literal: &literal)
        guard let field = field(first, run.count, formatter) else { return false }
        add(field)
      } else {
        literal.append(rest.removeFirst())
      }
    }
    add(literal: &literal)
    return true
  }

  /// The text that an apostrophe opens: up to the next one, or one apostrophe where two meet.
  private static func quoted(_ rest: inout Substring) -> String? {
    rest.removeFirst()
    if rest.first == "'" {
      rest.removeFirst()
      return "'"
    }
    var text = ""
    while let next = rest.popFirst() {
      guard next == "'" else {
        text.append(next)
        continue
      }
      guard rest.first == "'" else { return text }
      text.append(rest.removeFirst())
    }
    return nil
  }

  private mutating func add(literal: inout String) {
    guard !literal.isEmpty else { return }
    add(.literal(add(texts: [literal])))
    literal = ""
  }

  private mutating func add(_ field: Field) {
    fields.append(field)
    maximumCount += maximumCount(of: field)
  }

  /// Adds texts and returns the index of the first.
  private mutating func add(texts: [String]) -> Int {
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

  /// The field of a run of one letter; `nil` for one that is left to the formatter.
  private mutating func field(_ letter: Character, _ count: Int, _ formatter: DateFormatter)
    -> Field?
  {
    switch (letter, count) {
    case ("y", 2): .year(digits: 2, isShort: true)
    case ("y", 1...8): .year(digits: count, isShort: false)
    case ("M", 1...2), ("L", 1...2): .month(digits: count)
    case ("d", 1...2): .day(digits: count)
    case ("H", 1...2): .hour(digits: count)
    case ("h", 1...2): .hourOfHalf(digits: count)
    case ("m", 1...2): .minute(digits: count)
    case ("s", 1...2): .second(digits: count)
    case ("S", 1...3): .fraction(digits: count)
    case ("M", 3): names(formatter.shortMonthSymbols, 12).map { .monthName(first: $0) }
    case ("M", 4): names(formatter.monthSymbols, 12).map { .monthName(first: $0) }
    case ("L", 3): names(formatter.shortStandaloneMonthSymbols, 12).map { .monthName(first: $0) }
    case ("L", 4): names(formatter.standaloneMonthSymbols, 12).map { .monthName(first: $0) }
    case ("E", 1...3): names(formatter.shortWeekdaySymbols, 7).map { .weekdayName(first: $0) }
    case ("E", 4): names(formatter.weekdaySymbols, 7).map { .weekdayName(first: $0) }
    case ("a", 1...3):
      names([formatter.amSymbol, formatter.pmSymbol], 2).map { .halfOfDay(first: $0) }
    default: nil
    }
  }

  private mutating func names(_ texts: [String?]?, _ count: Int) -> Int? {
    guard let texts = texts?.compactMap({ $0 }), texts.count == count else { return nil }
    return add(texts: texts)
  }
}
