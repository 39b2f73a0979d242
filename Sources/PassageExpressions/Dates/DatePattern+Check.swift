import Foundation
import PassageValues

extension DatePattern {
  /// Dates that have, among them, every month, every weekday, both halves of the day, noon and
  /// midnight, every digit, fractions of seconds, and both ends of the range; in milliseconds since
  /// 1970.
  static func samples(within range: Range<Int>) -> [Double] {
    // 213 days are seven months, and three days more than whole weeks.
    let step = 213 * 86_400_000 + 7 * 3_600_000 + 13 * 60_000 + 37_457
    let first = 86_400_000 * 92 - 500
    let turning = [0.4, 0.6, 43_199_999.4, 43_199_999.6, 43_200_000, 86_399_999.4, 86_399_999.6]
    let ends = [range.lowerBound, range.lowerBound + 93_784_005, range.upperBound - 86_400_001]
    return (0..<36).map { Double(first + $0 * step) + 0.25 } + turning + ends.map(Double.init)
  }

  /// Whether the formatter prints the same at each of the samples.
  func isConfirmed(by formatter: DateFormatter) -> Bool {
    Self.samples(within: form.range).allSatisfy { milliseconds in
      let date = Date(timeIntervalSince1970: milliseconds / 1_000)
      return text(date.timeIntervalSinceReferenceDate) == formatter.string(from: date)
    }
  }
}
