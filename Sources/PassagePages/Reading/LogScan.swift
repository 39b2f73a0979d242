internal import PassageFiles

/// Reads the frames of a write-ahead log up to the last that ends a transaction. A frame of an
/// older log, one that is torn, or one with a wrong checksum ends the log, as it does for SQLite.
struct LogScan {
  /// A place behind a transaction.
  struct Place: Sendable, Equatable {
    /// The frames before it.
    var frameCount: UInt32
    /// The size of the database at this place, in pages.
    var databasePages: UInt32
    var checksum: LogChecksum
  }

  /// About how many bytes are read at once.
  private static let chunkBytes = 262_144

  let file: PositionalFile
  let header: LogHeader

  /// The place behind the last transaction.
  ///
  /// - Parameters:
  ///   - start: behind a transaction; `nil` to begin with the first frame.
  ///   - body: called for each transaction with the pages of its frames and the number of the
  ///     first.
  /// - Returns: `start` when no whole transaction follows it.
  func end(
    after start: Place?, forEachTransaction body: (_ pages: [UInt32], _ first: UInt32) -> Void
  ) throws -> Place? {
    var end = start
    var checksum = start?.checksum ?? header.checksum
    var frame = start?.frameCount ?? 0
    var pages: [UInt32] = []
    let frameBytes = Int(header.frameBytes)
    let chunk = PageBuffer(byteCount: max(1, Self.chunkBytes / frameBytes) * frameBytes)
    while true {
      let count = try file.read(
        into: UnsafeMutableRawBufferPointer(start: chunk.bytes, count: chunk.byteCount),
        at: header.offset(ofFrame: frame))
      for index in 0..<count / frameBytes {
        let bytes = UnsafeRawPointer(chunk.bytes) + index * frameBytes
        guard frame < .max, bytes.bigUInt32(at: 0) > 0, bytes.bigUInt64(at: 8) == header.salts
        else {
          return end
        }
        checksum.add(bytes, byteCount: 8)
        checksum.add(bytes + LogHeader.frameHeaderBytes, byteCount: header.pageBytes)
        guard checksum.matches(bytes + 16) else { return end }
        pages.append(bytes.bigUInt32(at: 0))
        frame += 1
        let databasePages = bytes.bigUInt32(at: 4)
        guard databasePages > 0 else { continue }
        body(pages, frame - UInt32(pages.count))
        pages.removeAll(keepingCapacity: true)
        end = Place(frameCount: frame, databasePages: databasePages, checksum: checksum)
      }
      guard count == chunk.byteCount else { return end }
    }
  }
}
