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

  deinit { close(file) }

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
