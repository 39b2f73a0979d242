/// Copies the leaves of a table to another file, or to another page of its own file. Their bytes stay
/// as they are, but for what leads to the overflow chains of rows, which are copied too.
final class LeafCopier {
  private let sweep: TableSweep
  private let file: PageFileWriter
  /// Whether the chains stay where they are, because the file is the same.
  private let keepsChains: Bool
  private let leaf: PageBuffer
  private var rowCount = 0
  /// The first pages of the chains that begin in the leaf.
  private var chains: [UInt32] = []

  /// Whether there is a leaf.
  private(set) var hasLeaf = false
  /// The smallest and the largest key of the leaf.
  private(set) var keys: (first: Int64, last: Int64) = (0, 0)
  /// What was put, as it is read again.
  private(set) var digest = PageDigest()

  /// - Parameters:
  ///   - sweep: of the table, before its first row. Its pages are as large as those of the file.
  init(_ sweep: TableSweep, to file: PageFileWriter, keepsChains: Bool = false) {
    self.sweep = sweep
    self.file = file
    self.keepsChains = keepsChains
    leaf = PageBuffer(byteCount: sweep.pageBytes)
  }

  /// Whether the table is a single leaf, once the first one was read.
  var isSingle: Bool { sweep.depth == 0 }

  /// Goes on to the next leaf, and copies the chains that begin in it.
  ///
  /// - Throws: ``PageDamage``, or an error of a file.
  func next() throws {
    chains.removeAll(keepingCapacity: true)
    hasLeaf = try sweep.advance()
    guard hasLeaf else { return }
    leaf.bytes.copyMemory(from: sweep.leafBytes, byteCount: leaf.byteCount)
    rowCount = sweep.leafCellCount
    // No record is decoded. What a cell begins with tells its key, and whether a chain follows.
    for row in 0..<rowCount {
      guard try sweep.next() else { break }
      if row == 0 { keys.first = sweep.key }
      if sweep.hasOverflow { try copyChain() }
    }
    keys.last = sweep.key
  }

  private func copyChain() throws {
    let start = sweep.record - sweep.leafBytes
    let localBytes = sweep.availableBytes
    if keepsChains {
      let chain = UnsafeRawPointer(leaf.bytes).bigUInt32(at: start + localBytes)
      try sweep.reader.check(chain, from: sweep.leafPage)
      return chains.append(chain)
    }
    try sweep.loadAll()
    let payload = UnsafeRawBufferPointer(start: sweep.record, count: sweep.payloadBytes)
    let written = try OverflowWriter.write(
      to: leaf.bytes + start, localBytes: localBytes, file: file
    ) { write in try write(payload) }
    digest.add(written.hash)
    chains.append(written.head)
  }

  /// Writes the leaf to a page, to which its chains now belong.
  func put(_ page: UInt32) throws {
    for chain in chains { try file.setPointer(to: chain, .firstOverflow, from: page) }
    digest.add(leaf: leaf.bytes, byteCount: leaf.byteCount, rows: rowCount)
    try file.put(page, leaf.bytes)
  }
}
