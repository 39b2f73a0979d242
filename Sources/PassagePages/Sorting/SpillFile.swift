internal import PassageFiles

/// The temporary file of all sorters. It begins anew when nobody has a run in it any more.
final class SpillFile {
  private let make: () throws -> PositionalFile
  private var file: PositionalFile?
  private var end: Int64 = 0
  private var runCount = 0

  init(make: @escaping () throws -> PositionalFile) { self.make = make }

  /// Begins a run, whose bytes follow by ``append(_:)``. Only one is written at a time.
  ///
  /// - Returns: where it begins.
  func beginRun() throws -> Int64 {
    if runCount == 0, end > 0 {
      try file?.truncate(to: 0)
      end = 0
    }
    runCount += 1
    return end
  }

  /// Appends to the run that is being written.
  func append(_ bytes: UnsafeRawBufferPointer) throws {
    let target = try file ?? make()
    file = target
    try target.write(bytes, at: end)
    end += Int64(bytes.count)
  }

  /// Fills a buffer.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
    guard let file, try file.read(into: buffer, at: offset) == buffer.count else {
      throw SpillDamage()
    }
  }

  /// Gives up runs that nobody reads any more.
  func endRuns(_ count: Int) { runCount -= count }
}

/// The temporary file of a sorter does not hold what was written to it.
package struct SpillDamage: Error, Sendable, Hashable {}

/// Sorted entries in the temporary file.
struct SpilledRun {
  let offset: Int64
  let byteCount: Int64
}
