internal import PassagePlatform

/// A file that is read and written at any offset. It has no position of its own, so threads may share
/// it as long as they do not write the same bytes.
package final class PositionalFile: Sendable {
  /// What the file is opened for.
  package enum Mode: Sendable {
    case reading
    case updating
  }

  package let path: String
  private let file: Int32
  private let isReadOnly: Bool

  /// Opens an existing file. `open(2)`.
  package init(_ path: String, mode: Mode) throws(FileSystem.Failure) {
    self.path = path
    isReadOnly = mode == .reading
    file =
      isReadOnly
      ? KeptDescriptors.take(path) ?? open(path, O_RDONLY | O_CLOEXEC)
      : open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw FileSystem.failure(mode == .reading ? .read : .write, path) }
  }

  /// Opens an existing file for reading without waiting, whatever it is. `open(2)`.
  package init(atOnce path: String) throws(FileSystem.Failure) {
    self.path = path
    isReadOnly = true
    file = FileSystem.openForReading(path)
    guard file >= 0 else { throw FileSystem.failure(.read, path) }
  }

  deinit {
    // One that could not be opened is released as well.
    if file >= 0 { KeptDescriptors.release(file, isReadOnly: isReadOnly) }
  }

  /// The file's status. `fstat(2)`.
  package var status: FileSystem.Status {
    get throws(FileSystem.Failure) { try FileSystem.status(of: file, path) }
  }

  /// At most `count` bytes from the start of the file. `pread(2)`.
  package func prefix(_ count: Int) throws(FileSystem.Failure) -> [UInt8] {
    try FileSystem.bytes(of: file, count: count, path)
  }

  /// The file's size in bytes. `fstat(2)`.
  package var byteCount: Int64 {
    get throws(FileSystem.Failure) {
      var status = stat()
      guard fstat(file, &status) == 0 else { throw FileSystem.failure(.read, path) }
      return Int64(status.st_size)
    }
  }

  /// The file's inode number. `fstat(2)`.
  package var inode: UInt64 {
    get throws(FileSystem.Failure) {
      var status = stat()
      guard fstat(file, &status) == 0 else { throw FileSystem.failure(.read, path) }
      return UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// Has the system begin to write the file to its disk, so that the sync that comes later waits less.
  /// It promises nothing, and has no errors.
  package func beginWritingBack() { FileSystemSync.beginWritingBack(file) }

  /// Fills a buffer with the bytes at an offset. `pread(2)`.
  ///
  /// - Returns: how many bytes were read: fewer than the buffer takes only at the end of the file.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileSystem.Failure) -> Int {
    var done = 0
    while done < buffer.count {
      // The call writes into the rest of the buffer, never beyond its end.
      let count = pread(
        file, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset) + off_t(done)
      )
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileSystem.failure(.read, path) }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Writes bytes at an offset; the file grows when they end beyond it. `pwrite(2)`.
  package func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int64
  ) throws(FileSystem.Failure) {
    var done = 0
    while done < bytes.count {
      // The call reads the rest of the buffer, never beyond its end.
      let count = pwrite(
        file, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset) + off_t(done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileSystem.failure(.write, path) }
      done += count
    }
  }

  /// Reserves room on the disk for bytes at an offset, where the system can; the file's size stays.
  /// It promises nothing: a disk without room shows in the writes.
  package func reserve(_ byteCount: Int64, at offset: Int64) {
    FileRoom.reserve(byteCount, at: offset, in: file)
  }

  /// Gives back the room of bytes that nobody needs any more: they are zeros from then on, and the file's
  /// size stays, so that what another process appends at the same time is kept.
  ///
  /// - Returns: whether it was given back: not every system and file system can.
  package func giveBack(_ range: Range<Int64>) -> Bool { FileRoom.giveBack(range, in: file) }

  /// Gives the file a size; what lies beyond it, reserved room too, is gone. `ftruncate(2)`.
  package func truncate(to byteCount: Int64) throws(FileSystem.Failure) {
    while ftruncate(file, off_t(byteCount)) != 0 {
      guard errno == EINTR else { throw FileSystem.failure(.write, path) }
    }
  }
}
