/// Where things are in a file of pages of one size (https://www.sqlite.org/fileformat2.html).
///
/// No page has reserved bytes at its end: files that have them are left to SQLite.
package struct PageGeometry: Sendable, Hashable {
  /// The size of a page in bytes: a power of two from 512 to 65,536.
  package let pageBytes: Int
  /// Whether the file has pointer-map pages, which every file that can give back pages has.
  package let hasPointerMap: Bool

  /// - Precondition: `pageBytes` is a power of two from 512 to 65,536.
  package init(pageBytes: Int, hasPointerMap: Bool) {
    precondition(pageBytes >= 512 && pageBytes <= 65_536 && pageBytes.nonzeroBitCount == 1)
    self.pageBytes = pageBytes
    self.hasPointerMap = hasPointerMap
  }

  // MARK: Payloads

  /// The bytes of a payload that an overflow page holds.
  package var overflowCapacity: Int { pageBytes - 4 }

  /// The longest payload that a leaf of a table holds by itself.
  var longestTablePayload: Int { pageBytes - 35 }

  /// The longest payload that a page of an index holds by itself.
  var longestIndexPayload: Int { (pageBytes - 12) * 64 / 255 - 23 }

  /// The bytes of a longer payload that stay on the page, for tables and indexes alike.
  private var shortestLocalPayload: Int { (pageBytes - 12) * 32 / 255 - 23 }

  /// The bytes of a payload that stay on the page; the rest is in overflow pages.
  ///
  /// - Parameters:
  ///   - byteCount: of the whole payload.
  ///   - longest: ``longestTablePayload`` or ``longestIndexPayload``.
  @inline(__always)
  func localBytes(ofPayload byteCount: Int, longest: Int) -> Int {
    if byteCount <= longest { return byteCount }
    let local = shortestLocalPayload + (byteCount - shortestLocalPayload) % overflowCapacity
    return local <= longest ? local : shortestLocalPayload
  }

  // MARK: Pages with a meaning of their own

  /// The page with the bytes at 1 GiB, which SQLite locks: it holds nothing.
  package var lockPage: UInt32 { UInt32(0x4000_0000 / pageBytes) + 1 }

  /// The pages that a pointer-map page tells about.
  var pagesOfPointerMap: Int { pageBytes / 5 }

  /// The pointer-map page that tells about a page. For a pointer-map page it is that page itself.
  ///
  /// - Precondition: `page` is at least 2.
  func pointerMapPage(of page: UInt32) -> UInt32 {
    let step = UInt32(pagesOfPointerMap + 1)
    let map = (page - 2) / step * step + 2
    return map == lockPage ? map + 1 : map
  }

  /// Whether a page is a pointer-map page.
  package func isPointerMap(_ page: UInt32) -> Bool {
    hasPointerMap && page >= 2 && pointerMapPage(of: page) == page
  }

  /// The pointer-map pages of a file of so many pages, in order.
  package func pointerMaps(of pageCount: UInt32) -> [UInt32] {
    guard hasPointerMap, pageCount >= 2 else { return [] }
    // The one in the place of the page that SQLite locks is behind it.
    return stride(from: 2, through: Int64(pageCount), by: pagesOfPointerMap + 1)
      .map { pointerMapPage(of: UInt32($0)) }.filter { $0 <= pageCount }
  }

  /// Whether a page may hold content.
  func isUsable(_ page: UInt32) -> Bool { page != lockPage && !isPointerMap(page) }

  /// Where the entry of a page is in its pointer-map page.
  func pointerMapOffset(of page: UInt32) -> Int {
    5 * Int(page - pointerMapPage(of: page) - 1)
  }

  /// Where a page begins in the file.
  @inline(__always)
  func offset(of page: UInt32) -> Int64 { Int64(page - 1) * Int64(pageBytes) }
}
