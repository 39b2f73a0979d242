internal import CZlib

/// Raw DEFLATE (RFC 1951), the format of the model that a store keeps.
package enum RawDeflate {
  /// Why bytes cannot be compressed or decompressed.
  package enum Failure: Error, Sendable, Hashable {
    /// The bytes are not a DEFLATE stream, or a damaged one.
    case damaged
    /// The stream ends before its last block does.
    case truncated
    /// The decompressed bytes exceed the limit.
    case tooLarge
    /// There is not enough memory for zlib.
    case outOfMemory
  }

  /// The number of bytes that are decompressed between two checks of the limit.
  private static let chunkBytes = 64 << 10

  /// Decompresses a stream. Bytes after its last block are ignored.
  ///
  /// - Parameter maximumBytes: the largest decompressed size; a small stream may expand to a
  ///   thousand times its length.
  /// - Complexity: O(n) in the decompressed bytes; memory never exceeds `maximumBytes` by more than
  ///   a fixed amount.
  package static func decompress(
    _ bytes: [UInt8], maximumBytes: Int
  ) throws(Failure) -> [UInt8] {
    guard let count = UInt32(exactly: bytes.count) else { throw .tooLarge }
    // zlib keeps the address of the stream, so the stream must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard passage_inflate_init_raw(stream) == Z_OK else { throw .outOfMemory }
    defer { inflateEnd(stream) }
    // zlib never writes to its input, but its type is mutable, so a copy is needed.
    var input = bytes
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: chunkBytes)
    // The pointers are valid only inside the closures, and the stream is not used after them.
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

extension RawDeflate {
  /// Compresses bytes, at zlib's usual level. The same bytes and the same zlib always give the same
  /// stream.
  ///
  /// - Throws: `tooLarge`, `outOfMemory`.
  /// - Complexity: O(n) in the bytes.
  package static func compress(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
    guard let count = UInt32(exactly: bytes.count) else { throw .tooLarge }
    // zlib keeps the address of the stream, so the stream must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard passage_deflate_init_raw(stream) == Z_OK else { throw .outOfMemory }
    defer { deflateEnd(stream) }
    guard let bound = UInt32(exactly: deflateBound(stream, UInt(count))) else { throw .tooLarge }
    // zlib never writes to its input, but its type is mutable, so a copy is needed.
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(bound))
    // The pointers are valid only inside the closures, and the stream is not used after them.
    let status = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = count
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = bound
        return deflate(stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else { throw .outOfMemory }
    output.removeLast(Int(stream.pointee.avail_out))
    return output
  }
}

extension RawDeflate.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .damaged: "the compressed bytes are damaged"
    case .truncated: "the compressed bytes are incomplete"
    case .tooLarge: "the compressed bytes expand to too many bytes"
    case .outOfMemory: "there is not enough memory for them"
    }
  }
}
