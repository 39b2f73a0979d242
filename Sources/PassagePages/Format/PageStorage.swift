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

  /// Drops what lies beyond a size.
  func truncate(to byteCount: Int64) throws
}

extension PositionalFile: PageStorage {}
