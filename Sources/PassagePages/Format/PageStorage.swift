package import PassageFiles

/// Where the bytes of a database are: in a file, or in memory. Threads may share it as long as they
/// do not write the same bytes.
package protocol PageStorage: Sendable {
  /// The size in bytes.
  var byteCount: Int64 { get throws }

  /// Fills a buffer with the bytes at an offset.
  ///
  /// - Returns: how many bytes were read: fewer than the buffer takes only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int

  /// Writes bytes at an offset; the storage grows when they end beyond it.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws

  /// Reserves room for bytes at an offset, if that can be done and helps; the size stays.
  func reserve(_ byteCount: Int64, at offset: Int64)

  /// Drops what lies beyond a size, and gives back what is reserved there.
  func truncate(to byteCount: Int64) throws
}

extension PositionalFile: PageStorage {}
