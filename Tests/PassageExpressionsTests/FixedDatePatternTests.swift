import Foundation
import Testing

@testable import PassageExpressions

/// The short way gives what the date formatter gives, or nothing.
struct FixedDatePatternTests {
  @Test(arguments: [
    "UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe",
  ])
  func `a text of fixed digits is read as the formatter reads it`(zone: String) throws {
    let timeZone = try #require(TimeZone(identifier: zone))
    let pattern = "yyyy-MM-dd HH:mm:ss"
    let fixed = try #require(
      FixedDatePattern(pattern, timeZone: timeZone, locale: "en_US_POSIX"))
    let formatter = DateFormatter()
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = timeZone
    formatter.isLenient = false
    formatter.dateFormat = pattern
    var state: UInt64 = 20_010_101
    var short = 0
    for _ in 0..<400 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      func part(_ shift: UInt64, _ count: UInt64) -> String {
        let text = "\((state >> shift) % count)"
        return text.count < 2 ? "0" + text : text
      }
      let text =
        "\(1890 + (state >> 40) % 200)-\(part(20, 14))-\(part(25, 33)) "
        + "\(part(30, 25)):\(part(35, 61)):\(part(43, 61))"
      guard let found = fixed.seconds(text) else { continue }
      short += 1
      #expect(
        found == formatter.date(from: text)?.timeIntervalSinceReferenceDate,
        "seed 20010101, \(text)")
    }
    #expect(short > 100)
  }

  @Test(arguments: ["yy-MM-dd", "yyyy-MM-dd'T'HH", "d.M.yyyy", "yyyy", "yyyy-MM-dd yyyy", ""])
  func `other patterns are left to the formatter`(pattern: String) {
    #expect(FixedDatePattern(pattern, timeZone: .gmt, locale: "en_US_POSIX") == nil)
  }

  @Test(arguments: ["2010-3-19", "2010-02-30", "1500-01-01", "2010-13-01", "２０１０-01-01", ""])
  func `other texts are left to the formatter`(text: String) {
    let fixed = FixedDatePattern("yyyy-MM-dd", timeZone: .gmt, locale: "en_US_POSIX")
    #expect(fixed?.seconds(text) == nil && fixed?.seconds("2001-01-02") == 86_400)
    #expect(FixedDatePattern("yyyy-MM-dd", timeZone: .gmt, locale: "ar_EG") == nil)
  }
}
