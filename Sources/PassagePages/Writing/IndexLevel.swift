/// The pages of one level of an index's b-tree: the open page, and the one before it.
///
/// Between two pages of a level lies an entry that belongs to the level above, the divider. A page
/// is kept until the one after it is full too, because at the end the last page may have to take
/// over an entry: SQLite takes a page without entries for damaged.
///
/// Every page has room for four entries, so the page before always has one to give.
final class IndexLevel {
  /// The bytes before an entry's own: the number of the child with the smaller entries.
  let childBytes: Int
  private(set) var open: TreePage
  /// The page before the open one, when ``hasFull``.
  private(set) var full: TreePage
  private(set) var hasFull = false
  /// Of an interior level: the child between the last entry of the full page and the divider.
  private(set) var fullRightmost: UInt32 = 0
  /// The entry between the full page and the open one, without a child.
  let divider: PageBuffer
  private(set) var dividerBytes = 0

  init(_ kind: TreePage.Kind, geometry: PageGeometry) {
    childBytes = kind.isInterior ? 4 : 0
    open = TreePage(kind, pageBytes: geometry.pageBytes)
    full = TreePage(kind, pageBytes: geometry.pageBytes)
    divider = PageBuffer(byteCount: geometry.pageBytes)
  }

  /// Makes room in the open page for an entry of so many bytes, its child not counted.
  ///
  /// - Returns: where the child's number and the entry go; `nil` when the page is full.
  @inline(__always)
  func room(for byteCount: Int) -> UnsafeMutableRawPointer? {
    guard open.hasRoom(for: childBytes + byteCount) else { return nil }
    return open.append(childBytes + byteCount)
  }

  /// Makes room as ``room(for:)`` does, where so many bytes before the entry are not in use.
  @inline(__always)
  func room(for byteCount: Int, margin: Int) -> UnsafeMutableRawPointer? {
    guard open.hasRoom(for: childBytes + byteCount + margin) else { return nil }
    return open.append(childBytes + byteCount)
  }

  /// Takes over the cells of entries of a leaf, as many as the open page has room for.
  func append(_ cells: inout WaitingCells) { open.append(&cells) }

  /// Makes the open page the full one, with an entry after it that belongs to the level above.
  ///
  /// - Parameters:
  ///   - byteCount: of the entry; its bytes go to ``divider``.
  ///   - rightmost: of an interior level, the child between the page's last entry and that one.
  /// - Precondition: not ``hasFull``.
  func turn(dividerBytes byteCount: Int, rightmost: UInt32) {
    swap(&open, &full)
    open.removeAll()
    hasFull = true
    fullRightmost = rightmost
    dividerBytes = byteCount
  }

  /// The full page has been put into the file.
  func dropFull() { hasFull = false }

  /// Gives the open page an entry when it has none: the divider, in whose place goes the last entry
  /// of the full page.
  func fillOpenPage() {
    guard hasFull, open.cellCount == 0, full.cellCount > 1 else { return }
    let entry = open.append(childBytes + dividerBytes)
    if childBytes > 0 { entry.setBigUInt32(fullRightmost, at: 0) }
    (entry + childBytes).copyMemory(from: divider.bytes, byteCount: dividerBytes)

    let last = full.cell(full.cellCount - 1)
    let byteCount = full.cell(full.cellCount - 2) - last
    if childBytes > 0 { fullRightmost = last.bigUInt32(at: 0) }
    dividerBytes = byteCount - childBytes
    divider.bytes.copyMemory(from: last + childBytes, byteCount: dividerBytes)
    full.removeLast(byteCount)
  }
}
