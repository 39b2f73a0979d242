extension PageReader {
  /// Whether a database that can give back pages notes which of them are roots: the largest in its
  /// header, and each in its pointer map (https://www.sqlite.org/fileformat2.html#ptrmap).
  ///
  /// - Parameter roots: the root pages of all tables and indexes but the schema's.
  /// - Throws: an error of the file.
  package func notesRoots(_ roots: [UInt32]) throws -> Bool {
    guard geometry.hasPointerMap else { return true }
    let buffer = PageBuffer(byteCount: geometry.pageBytes)
    try read(1, count: 1, into: buffer.bytes)
    guard UnsafeRawPointer(buffer.bytes).bigUInt32(at: 52) == roots.max() ?? 1 else {
      return false
    }
    for root in roots.sorted() {
      guard isReadable(root) else { return false }
      try read(geometry.pointerMapPage(of: root), count: 1, into: buffer.bytes)
      let entry = UnsafeRawPointer(buffer.bytes) + geometry.pointerMapOffset(of: root)
      // The kind of a root, which has no parent.
      guard entry.load(as: UInt8.self) == 1, entry.bigUInt32(at: 1) == 0 else { return false }
    }
    return true
  }
}
