internal import PassageDiagnostics
internal import PassageStores

/// What the checks before a migration have found: nothing was written, and nothing is in the way.
struct Preparation {
  /// Whether the destination may be this migration's own result, which is to be found out.
  var isRepeating = false
  /// Counted once: it reads the whole source.
  var sourceCounts: ObjectCounts
  /// How many objects all steps read, about.
  var total: Int64
  /// What belongs to the source beside its objects.
  var companions = StoreCompanions()
  /// The history to carry over; `nil` for none.
  var history: HistoryTables?
  /// The values of the first step's source that nothing reads; `nil` where they cannot be counted before
  /// the source is staged.
  var unread: [UnreadValues.Item]?
  /// What was found that does not stop the run.
  var warnings = Diagnostics()
}
