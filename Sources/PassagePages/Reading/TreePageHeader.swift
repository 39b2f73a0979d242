/// What the first bytes of a page of a tree say
/// (https://www.sqlite.org/fileformat2.html#b_tree_pages), checked.
struct TreePageHeader {
  /// The most bytes of a header.
  static let byteCount = 12

  let isLeaf: Bool
  let cellCount: Int
  /// Where the offsets of the cells begin.
  let offsetsStart: Int
  /// Where the cells begin. No cell is before it.
  let contentStart: Int

  /// - Parameters:
  ///   - bytes: a whole page.
  ///   - page: its number. The first page of a file begins with the file's header.
  ///   - isOfIndex: whether the tree is an index's, and not a table's.
  /// - Throws: ``PageDamage`` when it is not a page of such a tree.
  init(
    _ bytes: UnsafeRawPointer, page: UInt32, pageBytes: Int, isOfIndex: Bool = false
  ) throws(PageDamage) {
    let start = page == 1 ? FileHeader.byteCount : 0
    let code = bytes.load(fromByteOffset: start, as: UInt8.self)
    guard let kind = TreePage.Kind(rawValue: code) else {
      throw PageDamage(page: page, "is not part of \(isOfIndex ? "an index" : "a table")")
    }
    guard kind.isTable != isOfIndex else {
      throw PageDamage(
        page: page,
        kind.isTable
          ? "belongs to a table, not to an index"
          : "belongs to an index, not to a table with rowids")
    }
    isLeaf = !kind.isInterior
    cellCount = bytes.bigUInt16(at: start + 3)
    let content = bytes.bigUInt16(at: start + 5)
    // 65,536 does not fit two bytes and is written as 0.
    contentStart = content == 0 ? 65_536 : content
    offsetsStart = start + (isLeaf ? 8 : 12)
    guard offsetsStart + 2 * cellCount <= contentStart, contentStart <= pageBytes else {
      throw PageDamage(page: page, "claims more cells than it can hold")
    }
  }
}
