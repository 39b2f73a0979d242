internal import PassageDiagnostics
internal import PassageStores

/// What the checks before a migration have found, if nothing prevents it. Nothing has been written.
struct Preparation {
  /// Whether the destination may be this migration's own result; the run decides it.
  var isRepeating = false
  /// Counted once, because that reads the whole source.
  var sourceCounts: ObjectCounts
  /// The approximate number of objects that all steps read.
  var total: Int64
  /// The source's companions.
  var companions = StoreCompanions()
  /// The history to carry over; `nil` for none.
  var history: HistoryTables?
  /// The unread values of the first step's source; `nil` when they cannot be counted before the
  /// source is staged.
  var unread: [UnreadValues.Item]?
  /// Findings that do not stop the run.
  var warnings = Diagnostics()
}
