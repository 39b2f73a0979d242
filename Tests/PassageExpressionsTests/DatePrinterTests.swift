import Foundation
import PassageDiagnostics
import PassageValues
import TestSupport
import Testing

@testable import PassageExpressions

/// The danger that a date printed without the formatter reads differently.
@Suite struct DatePrinterTests {
  static let seed = RandomSeed.told(for: "DatePrinterTests")

  static func formatter(_ locale: String, _ zone: String) throws -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: locale)
    let timeZone: TimeZone = try #require(TimeZone(identifier: zone))
    formatter.timeZone = timeZone
    return formatter
  }

  /// Seconds of the century from 1960 on, some of them between two milliseconds or seconds.
  static func seconds(_ random: inout SeededRandom) -> Double {
    let whole = Double(Int.random(in: -1_293_926_400..<1_861_833_600, using: &random))
    return switch Int.random(in: 0..<4, using: &random) {
    case 0: whole
    case 1: whole + Double.random(in: -0.001...0.001, using: &random)
    case 2: whole + Double(Int.random(in: 0..<2_000, using: &random)) / 2_000
    default: whole + Double.random(in: 0..<1, using: &random)
    }
  }

  @Test(
    arguments: [
      "yyyy-MM-dd", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", "d.M.yy H:m:s",
      "EEEE, d. MMMM y", "EEE d MMM h:mm a", "LLLL yyyy", "cccc d LLLL y", "ccc LLL y",
      "'o''clock' hh ''SS''", "yyyyMMddHHmmssS",
    ], ["en_US_POSIX", "en_US", "de_DE", "fr_FR", "ja_JP", "pt_BR"])
  func `a pattern prints what the formatter prints`(pattern: String, locale: String) throws {
    var random = SeededRandom(seed: Self.seed)
    for zone in ["UTC", "Europe/Berlin", "Australia/Lord_Howe", "GMT+05:30"] {
      let formatter = try Self.formatter(locale, zone)
      formatter.calendar = Calendar(identifier: .gregorian)
      formatter.dateFormat = pattern
      let printer = Value.DatePrinter(formatter)
      #expect(printer.isFast, "\(zone)")
      for _ in 0..<250 {
        let date = Date(timeIntervalSinceReferenceDate: Self.seconds(&random))
        #expect(
          printer.string(from: date) == formatter.string(from: date),
          "seed \(Self.seed), \(zone), \(date.timeIntervalSinceReferenceDate)")
      }
    }
  }

  /// Its years are those of the Buddhist calendar.
  private static let slowLocales: Set<String> = ["th_TH"]
  /// How many zones are drawn for each style of each locale.
  private static let rounds =
    ProcessInfo.processInfo.environment["PASSAGE_ROUNDS"].flatMap { Int($0) } ?? 1

  @Test(arguments: LocaleNames.common.sorted())
  func `the styles of a common locale are printed without the formatter`(locale: String) throws {
    var random = SeededRandom(seed: Self.seed)
    let styles: [DateFormatter.Style] = [.none, .short, .medium, .long, .full]
    for dateStyle in styles {
      for timeStyle in [DateFormatter.Style.none, .short, .medium]
      where dateStyle != .none || timeStyle != .none {
        for _ in 0..<Self.rounds {
          let zone = random.pick(Self.zones)
          let formatter = try Self.formatter(locale, zone)
          formatter.dateStyle = dateStyle
          formatter.timeStyle = timeStyle
          let printer = Value.DatePrinter(formatter)
          #expect(
            printer.isFast != Self.slowLocales.contains(locale),
            "\(zone), \(formatter.dateFormat ?? "")")
          for _ in 0..<40 {
            let date = Self.moment(in: formatter.timeZone, &random)
            #expect(
              printer.string(from: date) == formatter.string(from: date),
              "seed \(Self.seed), \(zone), \(date.timeIntervalSinceReferenceDate)")
          }
        }
      }
    }
  }

  /// Without clock changes and with them, in both halves of the year, by half an hour and by a whole day.
  private static let zones = [
    "UTC", "GMT+05:30", "America/New_York", "Europe/Berlin", "Europe/London", "Asia/Kolkata",
    "Asia/Tokyo", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia", "Africa/Monrovia",
    "Asia/Kathmandu", "America/St_Johns",
  ]

  /// A moment of the century; one in four around a change of clocks.
  private static func moment(in zone: TimeZone, _ random: inout SeededRandom) -> Date {
    let date = Date(timeIntervalSinceReferenceDate: seconds(&random))
    guard random.chance(25), let change = zone.nextDaylightSavingTimeTransition(after: date) else {
      return date
    }
    return change.addingTimeInterval(Double.random(in: -4_000...4_000, using: &random))
  }

  @Test func `the common locales are there`() {
    #expect(LocaleNames.common.subtracting(Locale.availableIdentifiers) == [])
  }

  @Test func `any locale prints what its formatter prints`() throws {
    var random = SeededRandom(seed: Self.seed)
    for locale in Locale.availableIdentifiers.sorted().shuffled(using: &random).prefix(120) {
      let formatter = try Self.formatter(locale, "UTC")
      formatter.dateStyle = .full
      formatter.timeStyle = .medium
      let printer = Value.DatePrinter(formatter)
      for _ in 0..<4 {
        let date = Date(timeIntervalSinceReferenceDate: Self.seconds(&random))
        #expect(
          printer.string(from: date) == formatter.string(from: date), "seed \(Self.seed), \(locale)"
        )
      }
    }
  }

  @Test func `dates far from today print what the formatter prints`() throws {
    for zone in ["UTC", "Africa/Monrovia"] {
      let formatter = try Self.formatter("en_US", zone)
      formatter.dateFormat = "y yy MMM d HH:mm:ss.SSS"
      let printer = Value.DatePrinter(formatter)
      let years = [-5_000, -1, 0, 1, 1_500, 1_582, 1_583, 1_599, 1_600, 1_601, 1_959, 1_960, 2_059]
      for year in years + [2_060, 9_998, 9_999, 10_000, 200_000] {
        for day in [-0.0001, 0, 0.5, 100.25, 365] {
          let seconds = (Double(year - 1_970) * 365.2425 + day) * 86_400
          let date = Date(timeIntervalSince1970: seconds)
          #expect(printer.string(from: date) == formatter.string(from: date), "\(seconds)")
        }
      }
      for seconds in [Double.nan, .infinity, -.infinity, 1e18, -1e300] {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(printer.string(from: date) == formatter.string(from: date), "\(seconds)")
      }
    }
  }

  @Test func `what a formatter is told besides is heeded`() throws {
    let date = Date()
    func check(isFast: Bool, _ change: (DateFormatter) -> Void) throws {
      let formatter = try Self.formatter("en_US", "UTC")
      formatter.dateFormat = "EEE d MMM y a"
      change(formatter)
      let printer = Value.DatePrinter(formatter)
      #expect(printer.isFast == isFast)
      #expect(printer.string(from: date) == formatter.string(from: date))
    }
    try check(isFast: true) { _ in }
    try check(isFast: true) { $0.shortMonthSymbols = (1...12).map { "month \($0)" } }
    try check(isFast: true) { $0.amSymbol = "in the morning" }
    try check(isFast: false) {
      $0.dateStyle = .medium
      $0.doesRelativeDateFormatting = true
    }
    try check(isFast: false) { $0.calendar = Calendar(identifier: .buddhist) }
    try check(isFast: false) { $0.locale = Locale(identifier: "ar_EG") }
    try check(isFast: false) { $0.dateFormat = "" }
    for pattern in ["G y", "yyyy-MM-dd'T'HH:mm:ssZ", "d MMMMM", "w Y", "HH:mm 'open", "zzzz"] {
      try check(isFast: false) { $0.dateFormat = pattern }
    }
  }

  @Test func `every time zone has its offsets in the table`() throws {
    var random = SeededRandom(seed: Self.seed)
    for name in TimeZone.knownTimeZoneIdentifiers {
      let zone = try #require(TimeZone(identifier: name))
      let offsets = try #require(ZoneOffsets(zone), "\(name)")
      for index in 0..<60 {
        let moment = Int.random(in: -315_619_200..<2_840_140_800, using: &random)
        let date = Date(timeIntervalSince1970: Double(moment))
        // Every other one on the last second before a change.
        let next = index % 2 == 0 ? zone.nextDaylightSavingTimeTransition(after: date) : nil
        for date in [next?.addingTimeInterval(-1), next, date].compactMap({ $0 }) {
          let milliseconds = Int(date.timeIntervalSince1970) * 1_000
          guard offsets.range.contains(milliseconds) else { continue }
          #expect(
            offsets.offset(at: milliseconds) == zone.secondsFromGMT(for: date) * 1_000,
            "seed \(Self.seed), \(name), \(date)")
        }
      }
    }
  }

  @Test func `the comparison sees every text and every digit`() {
    let samples = DatePattern.samples(within: 0..<1_000_000_000_000).map {
      DateFields(localMilliseconds: Int($0))
    }
    #expect(Set(samples.map(\.month)).count == 12 && Set(samples.map(\.weekday)).count == 7)
    #expect(Set(samples.map { $0.hour / 12 }).count == 2)
    for value in [\DateFields.year, \.day, \.hour, \.minute, \.second, \.millisecond] {
      #expect(Set(samples.map { $0[keyPath: value] % 10 }).count > 7)
    }
    #expect(Set(samples.map { $0.minute % 10 }).count == 10)
    #expect(samples.contains { $0.hour == 0 } && samples.contains { $0.hour == 12 })
  }

  @Test func `a date as ISO 8601 has the fields that a formatter finds`() throws {
    var random = SeededRandom(seed: Self.seed)
    let formatter = try Self.formatter("en_US_POSIX", "UTC")
    formatter.calendar = Calendar(identifier: .iso8601)
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss"
    // From the first second of the year 1 to the last of the year 9999.
    let years = -63_113_904_000...252_423_993_599
    #expect(ISO8601.text(Double(years.upperBound)) == "9999-12-31T23:59:59Z")
    #expect(ISO8601.text(Double(years.upperBound + 1)) == nil)
    for _ in 0..<2_000 {
      let whole = Double(Int.random(in: years, using: &random))
      let date = Date(timeIntervalSinceReferenceDate: whole)
      let text = formatter.string(from: date)
      guard whole > -12_000_000_000 else {
        // Before October 1582 the formatter has Julian days; the way back is ours.
        #expect(ISO8601.text(whole).flatMap(ISO8601.seconds) == whole, "seed \(Self.seed)")
        continue
      }
      #expect(ISO8601.text(whole) == text + "Z", "seed \(Self.seed)")
      #expect(ISO8601.text(whole + 0.25) == text + ".25Z", "seed \(Self.seed)")
      let seconds = Self.seconds(&random)
      #expect(
        ISO8601.text(seconds.rounded(.down))
          == Date(timeIntervalSinceReferenceDate: seconds).ISO8601Format(), "seed \(Self.seed)")
    }
    #expect(ISO8601.text(-63_145_526_400) == "0000-01-01T00:00:00Z")
    #expect(ISO8601.text(0.999_999_9) == "2001-01-01T00:00:01Z")
    #expect(ISO8601.text(0.000_001) == "2001-01-01T00:00:00.000001Z")
    #expect(ISO8601.text(252_455_616_000) == nil && ISO8601.text(.nan) == nil)
  }

  @Test func `a printer in the styles of a locale serves several threads at once`() async throws {
    let formatter = try Self.formatter("en_US", "Europe/Berlin")
    formatter.dateStyle = .medium
    formatter.timeStyle = .short
    let dates = (0..<500).map { Date(timeIntervalSinceReferenceDate: Double($0) * 2_000_003) }
    // Before 1960 the formatter itself prints in such a zone.
    let early = dates.map { $0.addingTimeInterval(-2_000_000_000) }
    let expected = (dates + early).map { formatter.string(from: $0) }
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask {
          let printer = try Value.DatePrinter.styled(
            date: .medium, time: .short, locale: "en_US", timeZone: "Europe/Berlin")
          return (dates + early).map { printer.string(from: $0) }
        }
      }
      for try await printed in group { #expect(printed == expected) }
    }
  }

  @Test(arguments: [("xx_YY", "UTC"), ("en_US", "Mars/Olympus"), ("", "UTC"), ("en_US", "")])
  func `there is no printer for a locale or a time zone that does not exist`(
    locale: String, zone: String
  ) {
    #expect(throws: Diagnostic.self) {
      try Value.DatePrinter.styled(date: .medium, locale: locale, timeZone: zone)
    }
  }
}
