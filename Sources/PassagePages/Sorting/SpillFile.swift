internal import PassageFiles
internal import Synchronization

/// The temporary file of all sorters. It begins anew when nobody has a run in it any more. Threads
/// may share it.
final class SpillFile: Sendable {
  private struct State {
    var file: PositionalFile?
    var end: Int64 = 0
    var runCount = 0
  }

  private let make: @Sendable () throws -> PositionalFile
  private let state = Mutex(State())
  /// Is held while a run is written.
  private let writing = Mutex(())

  init(make: @escaping @Sendable () throws -> PositionalFile) { self.make = make }

  /// Takes note of a run, which ``write(_:)`` writes later.
  func beginRun() throws {
    try state.withLock { state in
      if state.runCount == 0, state.end > 0 {
        try state.file?.truncate(to: 0)
        state.end = 0
      }
      state.runCount += 1
    }
  }

  /// Writes a run: only one is written at a time.
  ///
  /// - Parameters:
  ///   - buffer: memory for what is collected; none where the caller appends much at once.
  ///   - body: appends to the run.
  func write(
    buffer: UnsafeMutableRawBufferPointer? = nil, _ body: (inout RunWriter) throws -> Void
  ) throws -> SpilledRun {
    try writing.withLock { _ in
      var run = RunWriter(
        self, buffer: buffer ?? UnsafeMutableRawBufferPointer(start: nil, count: 0))
      try body(&run)
      return try run.finish()
    }
  }

  /// Where the next bytes go.
  var end: Int64 { state.withLock { $0.end } }

  /// Appends to the run that is being written.
  func append(_ bytes: UnsafeRawBufferPointer) throws {
    let (file, end) = try state.withLock { state in
      let file = try state.file ?? make()
      state.file = file
      return (file, state.end)
    }
    try file.write(bytes, at: end)
    state.withLock { $0.end = end + Int64(bytes.count) }
  }

  /// Fills a buffer.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
    guard let file = state.withLock({ $0.file }),
      try file.read(into: buffer, at: offset) == buffer.count
    else { throw SpillDamage() }
  }

  /// Gives up runs that nobody reads any more.
  func endRuns(_ count: Int) { state.withLock { $0.runCount -= count } }
}

/// Sorted entries in the temporary file.
struct SpilledRun: Sendable {
  let offset: Int64
  let byteCount: Int64
}
