internal import PassagePlatform

/// The present of a migration, the same from its beginning to its end: what `now()` gives, and what
/// `random()` is made of.
///
/// It is a whole number of milliseconds, so that the time of a file can keep it exactly.
struct FrozenPresent: Hashable {
  /// Since 2001-01-01 00:00:00 UTC.
  private let milliseconds: Int64

  private static let epochOffset: Int64 = 978_307_200_000
  private static let nanosecondsOfOne: Int64 = 1_000_000

  /// The present of a migration that begins.
  init(_ date: Date = .now) {
    milliseconds = Int64(exactly: (date.timeIntervalSinceReferenceDate * 1_000).rounded(.down)) ?? 0
  }

  /// - Parameter seconds: since 2001, as they were kept.
  init(seconds: Double) {
    milliseconds = Int64(exactly: (seconds * 1_000).rounded()) ?? 0
  }

  /// The present that the time of a file keeps; `nil` when it keeps none.
  ///
  /// - Parameter fileTime: in nanoseconds since 1970.
  init?(fileTime: Int64) {
    let (whole, rest) = fileTime.quotientAndRemainder(dividingBy: Self.nanosecondsOfOne)
    guard rest == 0 else { return nil }
    milliseconds = whole - Self.epochOffset
  }

  /// Since 2001.
  var seconds: Double { Double(milliseconds) / 1_000 }

  /// In nanoseconds since 1970; `nil` for a time that no file has.
  var fileTime: Int64? {
    let (sum, sumOverflows) = milliseconds.addingReportingOverflow(Self.epochOffset)
    let (time, overflows) = sum.multipliedReportingOverflow(by: Self.nanosecondsOfOne)
    return sumOverflows || overflows ? nil : time
  }
}
