internal import PassageFiles
internal import PassageStores

/// Takes the bytes of a file, in their order.
protocol ByteSink: AnyObject {
  func write(_ bytes: [UInt8]) throws
}

/// Keeps the bytes in memory.
final class MemorySink: ByteSink {
  private(set) var bytes: [UInt8] = []

  func write(_ bytes: [UInt8]) { self.bytes += bytes }
}

/// Writes the bytes into a file.
final class FileSink: ByteSink {
  private let path: String
  private let writer: FileWriter

  /// - Throws: `StoreError`.
  init(_ path: String) throws {
    self.path = path
    do throws(FileSystem.Failure) {
      writer = try FileWriter(path)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  func write(_ bytes: [UInt8]) throws {
    do throws(FileSystem.Failure) {
      try writer.write(bytes)
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

/// Text on its way into a file: it is encoded and written a piece at a time.
struct TextOutput {
  private let sink: any ByteSink
  private let encoding: TextEncoding
  private var pending: [UInt8] = []

  private static let pieceBytes = 1 << 16

  init(_ sink: any ByteSink, encoding: TextEncoding = .utf8, withMark: Bool = false) {
    self.sink = sink
    self.encoding = encoding
    pending = withMark && encoding != .latin1 ? Array("\u{FEFF}".utf8) : []
  }

  /// Appends what a closure appends: whole characters.
  mutating func append(_ body: (inout [UInt8]) throws -> Void) throws {
    try body(&pending)
    if pending.count >= Self.pieceBytes { try flush() }
  }

  mutating func append(_ text: String) throws { try append { $0 += Array(text.utf8) } }

  /// Writes what is left.
  mutating func finish() throws { try flush() }

  private mutating func flush() throws {
    try sink.write(encoding == .utf8 ? pending : encoding.encode(pending, withMark: false))
    pending.removeAll(keepingCapacity: pending.count <= Self.pieceBytes * 4)
  }
}
