internal import PassageValues

/// Memory for the texts and blobs of one row. What it has given out stays where it is until
/// ``removeAll()``.
final class ValueArena {
  private static let chunkBytes = 1 << 16

  private var chunks: [RawMemory] = []
  private var used = 0

  /// Copies bytes.
  func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return bytes }
    if chunks.last.map({ $0.byteCount - used < bytes.count }) ?? true {
      chunks.append(RawMemory(byteCount: max(Self.chunkBytes, bytes.count)))
      used = 0
    }
    guard let chunk = chunks.last else { return bytes }
    let target = chunk.bytes + used
    target.copyMemory(from: source, byteCount: bytes.count)
    used += bytes.count
    return UnsafeRawBufferPointer(start: target, count: bytes.count)
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
    if used > 0 { empty() }
  }

  private func empty() {
    used = 0
    guard chunks.count > 1 || chunks.contains(where: { $0.byteCount > Self.chunkBytes }) else {
      return
    }
    chunks = chunks.prefix(1).filter { $0.byteCount == Self.chunkBytes }
  }
}
