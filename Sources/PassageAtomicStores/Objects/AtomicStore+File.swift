internal import PassageDiagnostics
internal import PassageFiles
internal import PassageStores

extension AtomicStore {
  /// A file that is read as a whole, with a size limit.
  public struct File: Sendable {
    /// The path used in locations.
    public let path: String
    /// The contents of the file.
    public let bytes: [UInt8]

    /// The default limit of the file size in bytes.
    public static let maximumBytes = 512 << 20

    /// Creates a file from bytes in memory.
    public init(path: String, bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }

    /// Reads a file.
    ///
    /// - Throws: `StoreError` for a file that cannot be read, `Diagnostics` with `ATM-001` for one
    ///   that is larger than `maximumBytes`.
    public init(reading path: String, maximumBytes: Int = maximumBytes) throws {
      try Self.check(path, maximumBytes: maximumBytes)
      guard let bytes = FileSystem().contents(path, limit: maximumBytes) else {
        throw StoreError(.inputOutput, path: path)
      }
      self.init(path: path, bytes: bytes)
    }

    /// Checks that a path leads to a file of at most `maximumBytes` bytes.
    ///
    /// - Returns: the file's size in bytes.
    @discardableResult
    static func check(_ path: String, maximumBytes: Int) throws -> Int {
      let status: FileSystem.Status
      do throws(FileSystem.Failure) {
        status = try FileSystem.status(path)
      } catch {
        throw StoreError(error, path: path)
      }
      guard status.kind == .file else { throw StoreError(.notAFile, path: path) }
      guard status.bytes <= Int64(maximumBytes) else {
        throw Diagnostics([
          Diagnostic(
            "ATM-001", "the file is larger than \(maximumBytes) bytes",
            at: SourceLocation(file: path),
            reason: "stores of this type are loaded as a whole; the file has \(status.bytes) bytes",
            remedy: "allow more bytes (--max-file-bytes), or keep the objects in a database")
        ])
      }
      return Int(status.bytes)
    }

    /// Whether the file is empty, and so only reserves the name for a new store.
    public var isReserved: Bool { bytes.isEmpty }
  }
}
