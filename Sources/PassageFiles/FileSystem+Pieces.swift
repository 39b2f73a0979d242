internal import PassagePlatform

/// Reads a file from its beginning, piece by piece. Not shared between threads.
package final class FileReader {
  /// The size of a piece in bytes.
  package static let pieceBytes = 1 << 18

  private let path: String
  private let file: Int32

  /// Opens a file. `open(2)`.
  package init(_ path: String) throws(FileSystem.Failure) {
    self.path = path
    file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileSystem.failure(.read, path) }
  }

  /// Reads the standard input of the process. `dup(2)`.
  package init(standardInput path: String) throws(FileSystem.Failure) {
    self.path = path
    file = dup(STDIN_FILENO)
    guard file >= 0 else { throw FileSystem.failure(.read, path) }
  }

  deinit {
    // One that could not be opened is released as well.
    if file >= 0 { KeptDescriptors.release(file) }
  }

  /// The next bytes, at most ``pieceBytes``; empty at the end. `read(2)`.
  package func next() throws(FileSystem.Failure) -> [UInt8] { try Self.piece(of: file, path: path) }

  /// The next bytes of an open file; empty at the end. `read(2)`.
  static func piece(of file: Int32, path: String) throws(FileSystem.Failure) -> [UInt8] {
    var failed = false
    let piece = [UInt8](unsafeUninitializedCapacity: pieceBytes) { buffer, filled in
      // The call writes into the array's memory, never beyond its capacity.
      while true {
        let count = read(file, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        failed = count < 0
        filled = max(0, count)
        return
      }
    }
    if failed { throw FileSystem.failure(.read, path) }
    return piece
  }
}

/// Writes a file from its beginning, piece by piece. Not shared between threads.
package final class FileWriter {
  private let path: String
  private let file: Int32

  /// Opens an existing file and empties it. `open(2)`.
  package init(_ path: String) throws(FileSystem.Failure) {
    self.path = path
    file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard file >= 0 else { throw FileSystem.failure(.write, path) }
  }

  deinit {
    // One that could not be opened is released as well.
    if file >= 0 { KeptDescriptors.release(file) }
  }

  /// Appends bytes. `write(2)`.
  package func write(_ bytes: [UInt8]) throws(FileSystem.Failure) {
    var written = 0
    while written < bytes.count {
      // The call reads the array's memory, never beyond its end.
      let count = bytes.withUnsafeBytes {
        systemWrite(file, $0.baseAddress.map { $0 + written }, $0.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileSystem.failure(.write, path) }
      written += count
    }
  }
}

// Needed because the class's own method has the same name.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
