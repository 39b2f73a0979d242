internal import PassageExpressions
internal import PassagePlatform
package import PassageStores

extension MigrationRecord {
  /// When the migration began, as `2026-11-22T03:14:05Z`.
  package var timeText: String { Self.timeText(seconds) }

  /// A time as text.
  ///
  /// - Parameter seconds: since 2001-01-01 UTC. Times that are read from a store lie between the
  ///   years 1970 and 9999.
  package static func timeText(_ seconds: Double) -> String {
    // Foundation's own style has the time zones of all countries read first.
    ISO8601.text(seconds.rounded(.down))
      ?? Date(timeIntervalSinceReferenceDate: seconds).ISO8601Format()
  }
}
