internal import PassageFiles
internal import PassageStores

/// Receives the bytes of a file, in order.
protocol ByteSink: AnyObject {
  func write(_ bytes: [UInt8]) throws
}

/// Keeps the bytes in memory.
final class MemorySink: ByteSink {
  private(set) var bytes: [UInt8] = []

  func write(_ bytes: [UInt8]) { self.bytes += bytes }
}

/// Writes the bytes to a file.
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

/// Encodes text and writes it piece by piece.
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

  /// Appends the bytes that a closure appends, which must be whole characters.
  ///
  /// - Returns: their number in UTF-8.
  @discardableResult
  mutating func append(_ body: (inout [UInt8]) throws -> Void) throws -> Int {
    let bytesBefore = pending.count
    try body(&pending)
    let count = pending.count - bytesBefore
    if pending.count >= Self.pieceBytes { try flush() }
    return count
  }

  mutating func append(_ text: String) throws { try append { $0 += Array(text.utf8) } }

  /// Writes the rest.
  mutating func finish() throws { try flush() }

  private mutating func flush() throws {
    try sink.write(encoding == .utf8 ? pending : encoding.encode(pending, withMark: false))
    pending.removeAll(keepingCapacity: pending.count <= Self.pieceBytes * 4)
  }
}
