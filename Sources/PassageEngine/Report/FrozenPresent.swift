internal import PassageFiles
package import PassagePlatform
package import PassageStores

/// The time of a migration, the same from beginning to end. It is the value of `now()`, and the
/// seed of `random()`.
///
/// It is a whole number of milliseconds, so that a file's modification time can store it exactly.
package struct FrozenPresent: Sendable, Hashable {
  /// Milliseconds since 2001-01-01 00:00:00 UTC.
  private let milliseconds: Int64

  private static let epochOffset: Int64 = 978_307_200_000
  private static let nanosecondsOfOne: Int64 = 1_000_000

  /// The time of a migration that begins now.
  package init(_ date: Date = .now) {
    milliseconds = Int64(exactly: (date.timeIntervalSinceReferenceDate * 1_000).rounded(.down)) ?? 0
  }

  /// - Parameter seconds: a stored time, in seconds since 2001.
  init(seconds: Double) {
    milliseconds = Int64(exactly: (seconds * 1_000).rounded()) ?? 0
  }

  /// The time that a file's modification time stores; `nil` when it is not a whole number of
  /// milliseconds.
  ///
  /// - Parameter fileTime: nanoseconds since 1970.
  init?(fileTime: Int64) {
    let (whole, rest) = fileTime.quotientAndRemainder(dividingBy: Self.nanosecondsOfOne)
    guard rest == 0 else { return nil }
    milliseconds = whole - Self.epochOffset
  }

  /// The time of the migration that made a store in Core Data's layout; `nil` when the store has no record
  /// of one.
  package init?(ofStoreWith metadata: StoreMetadata) {
    guard let record = metadata.migrationLedger.migrations.last else { return nil }
    self.init(seconds: record.seconds)
  }

  /// The time of the migration that wrote a file of another type; `nil` when the file was changed since, or
  /// is not there.
  package init?(ofFileAt path: String) {
    guard let status = try? FileSystem.status(path) else { return nil }
    self.init(fileTime: status.modifiedNanoseconds)
  }

  /// Seconds since 2001.
  var seconds: Double { Double(milliseconds) / 1_000 }

  /// Nanoseconds since 1970; `nil` when they do not fit into 64 bits.
  var fileTime: Int64? {
    let (sum, sumOverflows) = milliseconds.addingReportingOverflow(Self.epochOffset)
    let (time, overflows) = sum.multipliedReportingOverflow(by: Self.nanosecondsOfOne)
    return sumOverflows || overflows ? nil : time
  }
}
