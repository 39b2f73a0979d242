internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Where the pages of indexes are written: behind those of the store's file, where SQLite does not see
/// them yet.
///
/// At most every second, and at the end, the indexes that are complete are put in place, so that an
/// interrupted run need not build them again: their roots are written and the schema is changed. That is one
/// short moment, which the journal records, because a run that is interrupted in it cannot be continued.
final class IndexFile {
  /// That roots are being written, and the schema changed.
  private static let moment = "indexes:moment"

  private let store: PassStore
  private let control: RunControl
  private(set) var writer: PageFileWriter
  /// Those that are complete and not in place.
  private var complete: [ReservedIndex] = []
  /// The roots of those that are in place.
  private var roots: Set<UInt32> = []
  private var clock = MarkClock()

  /// - Parameter store: has given up its locks.
  init(of store: PassStore, control: RunControl) throws {
    self.store = store
    self.control = control
    writer = try PageFileWriter(path: store.path, keepsPages: true)
  }

  /// Whether a run was interrupted between the roots and the schema: its file is not to be used.
  static func isTorn(_ journal: Journal) throws -> Bool { try journal.state(moment) != nil }

  func isInPlace(_ index: ReservedIndex) -> Bool { roots.contains(index.root) }

  /// Notes that all pages of an index are written.
  func note(_ index: ReservedIndex) throws {
    complete.append(index)
    guard control.shouldStop || clock.isDue else { return }
    try putInPlace()
    writer = try PageFileWriter(path: store.path, keepsPages: true)
  }

  /// Puts the indexes in place that are complete. Pages are written no more.
  func finish() throws {
    if !complete.isEmpty { try putInPlace() }
  }

  /// Drops the pages of the indexes that are not in place. Pages are written no more.
  func abandon() throws { try writer.discard() }

  private func putInPlace() throws {
    try StatementWatch.completing {
      try store.journal.setWrittenByPages()
      try store.journal.setState(Self.moment, 1)
      try writer.finish()
      try ReservedIndex.adopt(complete, store.connection)
      try store.journal.removeState(Self.moment)
    }
    control.noteAdvance()
    roots.formUnion(complete.map(\.root))
    complete = []
    clock.reset()
  }
}
