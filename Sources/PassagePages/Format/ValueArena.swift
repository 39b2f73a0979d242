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

  /// A cell whose bytes are kept here.
  func kept(_ cell: RawCell) -> RawCell {
    switch cell {
    case .text(let bytes): .text(copy(bytes))
    case .blob(let bytes): .blob(copy(bytes))
    case .null, .integer, .real: cell
    }
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
