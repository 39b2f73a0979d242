/// The runs of one sorter. A helper may still be at the last one.
struct SpilledRuns {
  /// The runs, of which the last is not known while a helper is at it.
  private(set) var all: [SpilledRun] = []
  private var last: SideTask<SpilledRun>?

  var count: Int { all.count }
  var isEmpty: Bool { all.isEmpty }

  /// Writes a run.
  ///
  /// - Parameters: as for ``SpillFile/write(buffer:_:)``.
  mutating func add(
    _ memory: SortMemory, buffer: UnsafeMutableRawBufferPointer? = nil,
    _ body: (inout RunWriter) throws -> Void
  ) throws {
    try note(memory)
    all[all.count - 1] = try memory.file.write(buffer: buffer, body)
  }

  /// Has a helper write a run.
  ///
  /// - Precondition: no helper is at the run before: see ``finish()``.
  mutating func begin(
    _ memory: SortMemory, _ write: @escaping @Sendable () throws -> SpilledRun
  ) throws {
    try note(memory)
    last = memory.begin(write)
  }

  /// Waits for the helper.
  ///
  /// - Throws: the error of its run.
  mutating func finish() throws {
    guard let task = last else { return }
    last = nil
    all[all.count - 1] = try task.value()
  }

  /// A run is ended with the others, whether it is complete or not.
  private mutating func note(_ memory: SortMemory) throws {
    try memory.file.beginRun()
    all.append(SpilledRun(offset: 0, byteCount: 0))
  }

  /// Gives up the first runs.
  mutating func removeFirst(_ count: Int, _ memory: SortMemory) {
    all.removeFirst(count)
    memory.file.endRuns(count)
  }

  /// Gives up all runs, as soon as nobody writes them.
  mutating func removeAll(_ memory: SortMemory) {
    last?.wait()
    last = nil
    removeFirst(all.count, memory)
  }
}
