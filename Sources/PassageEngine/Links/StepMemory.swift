package import PassagePages

/// The memory that a step may take for what it sorts and looks up, whatever the size of the store.
///
/// The parts that take it come one after the other, and each gives it back: the sweeps of a pass with the
/// links that they look up, each join table, the pairs that are made after all objects, the indexes. So
/// their limits are not added up.
package struct StepMemory: Sendable {
  /// The limits of every step that this task runs.
  @TaskLocal package static var allowed = StepMemory()

  /// The bytes of all sets and maps that tell what objects have become.
  package var tableBytes = 12 << 20
  /// The bytes for sorting links to objects for which these are not enough.
  package var runBytes = 4 << 20
  /// The bytes for sorting the pairs of a join table.
  package var pairBytes = 12 << 20
  /// The bytes for sorting the pairs of a join table of which both ends are looked up, beside the tables
  /// of these.
  package var latePairBytes = 8 << 20
  /// The bytes for sorting indexes on one thread. Several have twice as much, however many they are.
  package var indexBytes = 12 << 20
  /// Adds up what sorters take, for tests.
  package var meter: MemoryMeter?

  package init() {}

  package init(tableBytes: Int, runBytes: Int) {
    self.tableBytes = tableBytes
    self.runBytes = runBytes
  }

  /// The most that a step takes at a time.
  package var mostBytes: Int {
    max(tableBytes + max(runBytes, latePairBytes), pairBytes, 2 * indexBytes)
  }

  /// What several threads may take for the indexes of each of so many tables whose entries are in memory
  /// at the same time.
  func indexBytes(each tableCount: Int) -> Int { 2 * indexBytes / tableCount }
}
