import Foundation
import PassageValues

/// A pattern of Unicode Technical Standard 35 that consists of simple fields of the Gregorian
/// calendar, with the texts of its locale.
struct DatePattern: Sendable {
  private(set) var form: PrintedDateForm

  /// `nil` for a formatter whose dates, or many of them, must be printed by itself.
  init?(checkedAgainst formatter: DateFormatter) {
    guard !formatter.doesRelativeDateFormatting, formatter.calendar.identifier == .gregorian,
      formatter.gregorianStartDate.map({ $0.timeIntervalSince1970 < -11_676_096_000 }) ?? true,
      let pattern = formatter.dateFormat, let zone = formatter.timeZone,
      let offsets = ZoneOffsets(zone)
    else { return nil }
    form = PrintedDateForm(offsets: offsets)
    guard read(pattern, formatter), !form.isEmpty, isConfirmed(by: formatter) else { return nil }
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
        form.add(field)
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
    form.add(.literal(form.add(texts: [literal])))
    literal = ""
  }

  /// The field of a run of one letter; `nil` for one that is left to the formatter.
  private mutating func field(_ letter: Character, _ count: Int, _ formatter: DateFormatter)
    -> PrintedDateForm.Field?
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
    case ("c", 3): names(formatter.shortStandaloneWeekdaySymbols, 7).map { .weekdayName(first: $0) }
    case ("c", 4): names(formatter.standaloneWeekdaySymbols, 7).map { .weekdayName(first: $0) }
    case ("a", 1...3):
      names([formatter.amSymbol, formatter.pmSymbol], 2).map { .halfOfDay(first: $0) }
    default: nil
    }
  }

  private mutating func names(_ texts: [String?]?, _ count: Int) -> Int? {
    guard let texts = texts?.compactMap({ $0 }), texts.count == count else { return nil }
    return form.add(texts: texts)
  }
}
