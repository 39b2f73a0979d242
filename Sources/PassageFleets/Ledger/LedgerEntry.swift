internal import PassageEngine
internal import PassageModels
package import PassageStores

/// What became of one store: one line of a ledger. It never holds the value of an attribute.
package struct LedgerEntry: Sendable, Hashable {
  /// How an attempt ended.
  package enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The migrated store is in place.
    case migrated
    /// There was nothing to do.
    case upToDate
    /// The store is as it was.
    case failed
    /// The migrated store took the place of an object in an object storage.
    case published
  }

  /// The store's name, as it was given.
  package var store: String
  package var outcome: Outcome
  /// The name of the version that the store had; `nil` if it is not known.
  package var from: String?
  /// The name of the version that it was to have; `nil` if it is not known.
  package var to: String?
  /// The version from which the last migration that the store records came; `nil` if it records none,
  /// and for a failure.
  package var migratedFrom: String?
  /// When that migration was, to the second, as ``time``.
  package var migratedAt: String?
  /// The sums over all steps; 0 unless the store was migrated.
  package var counts = MigrationRecord.Counts()
  /// How many values and links were lost.
  package var losses: Int64 = 0
  package var warnings: Int64 = 0
  /// The size of the source's main file before the run.
  package var bytes: Int64 = 0
  package var seconds: Double = 0
  /// When the attempt ended, as `2026-11-22T03:14:05Z`.
  package var time = ""
  /// The code of the first error.
  package var code: String?
  /// The exit status that `migrate run` would have had for the store.
  package var exitClass: Int32 = 0
  package var message: String?
  package var remedy: String?
  /// From 1: which attempt of the store it is, as far as the ledger tells.
  package var attempt = 1
  /// The shard, as `3/8`.
  package var shard: String?
  /// Identifies the way that was asked for, in 16 hexadecimal digits.
  package var plan = ""
  /// The version of Passage.
  package var passage = PassageVersion.current

  package init(store: String, outcome: Outcome) {
    self.store = store
    self.outcome = outcome
  }

  /// The longest line of a ledger, in bytes.
  package static let maximumLineBytes = 64 << 10
  /// The longest text of a message or a remedy; the rest is left out.
  private static let maximumTextBytes = 2_048

  /// The line, with its end.
  package var line: String {
    JSONText.shortObject([
      ("store", .string(store)), ("outcome", .string(outcome.rawValue)),
      ("from", Self.text(from)), ("to", Self.text(to)), ("migratedFrom", Self.text(migratedFrom)),
      ("migratedAt", Self.text(migratedAt)), ("migrated", Self.number(counts.migrated)),
      ("merged", Self.number(counts.merged)), ("split", Self.number(counts.split)),
      ("filtered", Self.number(counts.filtered)), ("removed", Self.number(counts.removed)),
      ("quarantined", Self.number(counts.quarantined)), ("added", Self.number(counts.added)),
      ("losses", Self.number(losses)),
      ("warnings", Self.number(warnings)), ("bytes", Self.number(bytes)),
      ("seconds", .number("\(Self.rounded(seconds))")), ("time", .string(time)),
      ("code", Self.text(code)), ("class", Self.number(Int64(exitClass))),
      ("message", Self.text(message)), ("remedy", Self.text(remedy)),
      ("attempt", Self.number(Int64(attempt))), ("shard", Self.text(shard)),
      ("plan", .string(plan)), ("passage", .string(passage)),
    ]).rendered() + "\n"
  }

  private static func number(_ value: Int64) -> JSONText { .number("\(value)") }

  private static func rounded(_ seconds: Double) -> Double {
    seconds.isFinite ? (max(0, seconds) * 10_000).rounded() / 10_000 : 0
  }

  private static func text(_ text: String?) -> JSONText {
    guard let text else { return .null }
    guard text.utf8.count > maximumTextBytes else { return .string(text) }
    return .string(String(decoding: text.utf8.prefix(maximumTextBytes), as: UTF8.self) + "…")
  }
}
