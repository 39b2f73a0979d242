internal import CZlib

/// Decompresses raw DEFLATE (RFC 1951), the form in which a store keeps its cached model.
package enum RawDeflate {
  /// Why bytes cannot be decompressed.
  package enum Failure: Error, Sendable, Hashable {
    /// They are no DEFLATE stream, or a damaged one.
    case damaged
    /// The stream ends before its last block does.
    case truncated
    /// They hold more than the bytes allowed.
    case tooLarge
    /// There is no memory for the decompressor.
    case outOfMemory
  }

  /// Bytes that are decompressed between two checks of the bound.
  private static let chunkBytes = 64 << 10

  /// The decompressed bytes; what follows the stream's last block is ignored.
  ///
  /// - Parameter maximumBytes: the most that is decompressed: a small stream may hold a thousand
  ///   times its length.
  /// - Complexity: O(n) in the decompressed bytes; memory never exceeds `maximumBytes` by more than
  ///   a fixed amount.
  package static func decompress(
    _ bytes: [UInt8], maximumBytes: Int
  ) throws(Failure) -> [UInt8] {
    guard let count = UInt32(exactly: bytes.count) else { throw .tooLarge }
    // zlib keeps the address of its state's owner, so the stream may not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard passage_inflate_init_raw(stream) == Z_OK else { throw .outOfMemory }
    defer { inflateEnd(stream) }
    // zlib never writes to its input, but its type says that it could: hence a copy.
    var input = bytes
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: chunkBytes)
    // The pointers are valid inside the closures only, and nothing uses the stream after them.
    let failure: Failure? = input.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = count
      while true {
        let (status, written) = chunk.withUnsafeMutableBufferPointer { chunk in
          stream.pointee.next_out = chunk.baseAddress
          stream.pointee.avail_out = UInt32(chunkBytes)
          let status = inflate(stream, Z_NO_FLUSH)
          return (status, chunkBytes - Int(stream.pointee.avail_out))
        }
        guard written <= maximumBytes - output.count else { return .tooLarge }
        output += chunk[..<written]
        switch status {
        case Z_STREAM_END: return nil
        case Z_OK: continue
        case Z_BUF_ERROR: return .truncated
        case Z_MEM_ERROR: return .outOfMemory
        default: return .damaged
        }
      }
    }
    if let failure { throw failure }
    return output
  }
}

extension RawDeflate.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .damaged: "the compressed bytes are damaged"
    case .truncated: "the compressed bytes are incomplete"
    case .tooLarge: "the compressed bytes hold too much"
    case .outOfMemory: "there is no memory to decompress them"
    }
  }
}
