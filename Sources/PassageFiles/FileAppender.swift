internal import PassagePlatform

/// Appends to a file, also while other processes do. Not shared between threads.
package final class FileAppender {
  private let path: String
  private let file: Int32

  /// Opens an ordinary file and creates one that only its owner can read (mode 0600) if there is
  /// none. `open(2)`.
  package init(_ path: String) throws(FileSystem.Failure) {
    self.path = path
    // What is not an ordinary file must not make the call wait.
    file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileSystem.failure(.write, path) }
  }

  /// Opens a file that is also read, for ``endsWithinLine()``; otherwise like ``init(_:)``.
  package init(readingToo path: String) throws(FileSystem.Failure) {
    self.path = path
    file = open(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileSystem.failure(.write, path) }
  }

  deinit {
    // One that could not be opened is released as well.
    if file >= 0 { close(file) }
  }

  /// Whether the file's last byte is not a line break. `fstat(2)`, `pread(2)`.
  package func endsWithinLine() throws(FileSystem.Failure) -> Bool {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileSystem.failure(.read, path) }
    guard status.st_size > 0 else { return false }
    var last: UInt8 = 0
    while true {
      let count = pread(file, &last, 1, status.st_size - 1)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileSystem.failure(.read, path) }
      return count == 1 && last != UInt8(ascii: "\n")
    }
  }

  /// Makes what was appended durable. `fsync(2)`.
  package func synchronize() throws(FileSystem.Failure) {
    let number = FileSystem.synchronized(file)
    // A pipe or a device has nothing to make durable.
    if [0, EINVAL, EROFS].contains(number) { return }
    throw FileSystem.Failure(operation: .synchronize, path: path, errorNumber: number)
  }

  /// Appends bytes in one piece where the system allows. `write(2)`.
  package func append(_ bytes: [UInt8]) throws(FileSystem.Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(file, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileSystem.failure(.write, path) }
      rest = rest.dropFirst(count)
    }
  }
}

// Needed so that the library's function is called with a buffer.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(file, bytes.baseAddress, bytes.count)
}
