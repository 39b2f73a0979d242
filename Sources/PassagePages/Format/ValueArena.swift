internal import PassageValues

/// Memory for the texts and blobs of one row. What it has given out stays where it is until
/// ``removeAll()``.
final class ValueArena {
  private static let chunkBytes = 1 << 16

  /// The open chunk is the last one.
  private var chunks: [RawMemory] = []
  /// Where the rest of the open chunk begins, and how many bytes it has.
  private var rest: UnsafeMutableRawPointer?
  private var restBytes = 0
  private var isEmpty = true

  /// The memory that is taken.
  var byteCount: Int { chunks.reduce(0) { $0 + $1.byteCount } }

  /// Copies bytes.
  func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return bytes }
    if restBytes < bytes.count { open(for: bytes.count) }
    guard let target = rest else { return bytes }
    target.copyMemory(from: source, byteCount: bytes.count)
    rest = target + bytes.count
    restBytes -= bytes.count
    isEmpty = false
    return UnsafeRawBufferPointer(start: target, count: bytes.count)
  }

  /// Opens a new chunk.
  @inline(never)
  private func open(for byteCount: Int) {
    let chunk = RawMemory(byteCount: max(Self.chunkBytes, byteCount))
    chunks.append(chunk)
    (rest, restBytes) = (chunk.bytes, chunk.byteCount)
  }

  /// The cell of a value, whose bytes are kept here.
  func kept(_ value: Value) -> RawCell {
    switch value {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(copy(text))
    case .malformedText(let bytes): .text(bytes.withUnsafeBytes { copy($0) })
    case .blob(let bytes): .blob(bytes.withUnsafeBytes { copy($0) })
    }
  }

  private func copy(_ text: String) -> UnsafeRawBufferPointer {
    let kept = text.utf8.withContiguousStorageIfAvailable { copy(UnsafeRawBufferPointer($0)) }
    return kept ?? copyScattered(text)
  }

  /// Copies a text whose bytes do not lie together.
  @inline(never)
  private func copyScattered(_ text: String) -> UnsafeRawBufferPointer {
    var text = text
    return text.withUTF8 { copy(UnsafeRawBufferPointer($0)) }
  }

  /// Begins again. One chunk of ordinary size is kept.
  @inline(__always)
  func removeAll() {
    if !isEmpty { empty() }
  }

  private func empty() {
    isEmpty = true
    // Nearly always, the only chunk has been used in part.
    if chunks.count != 1 || chunks[0].byteCount > Self.chunkBytes {
      chunks = chunks.prefix(1).filter { $0.byteCount == Self.chunkBytes }
    }
    rest = chunks.first?.bytes
    restBytes = chunks.first?.byteCount ?? 0
  }
}
