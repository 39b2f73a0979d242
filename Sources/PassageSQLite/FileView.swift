/// What a connection is shown of a file that is only read: other pages in the place of some. The pages
/// that SQLite asks for are noted.
///
/// It belongs to one connection, and is used on its thread.
package final class FileView {
  package let pageBytes: Int
  private var replaced: [UInt32: [UInt8]] = [:]
  /// A bit for each page, also of those that are replaced.
  package private(set) var read: PageBits

  /// Shows the file as it is.
  ///
  /// - Parameters:
  ///   - pageBytes: the size of a page.
  ///   - pageCount: of the file.
  package init(pageBytes: Int, pageCount: UInt32) {
    self.pageBytes = pageBytes
    read = PageBits(pageCount: pageCount)
  }

  /// Shows other pages, and forgets which were read. What the connection keeps of the file is as it
  /// was before.
  ///
  /// - Parameter replaced: the pages that are shown in the place of others, by number; each has the
  ///   size of a page.
  package func begin(replacing replaced: [UInt32: [UInt8]]) {
    precondition(replaced.allSatisfy { $0.value.count == pageBytes })
    self.replaced = replaced
    read.removeAll()
  }

  /// Notes that bytes are read, and gives them where they are those of another page.
  ///
  /// - Returns: whether it gave them.
  func show(_ target: UnsafeMutableRawPointer, _ byteCount: Int, _ offset: Int64) -> Bool {
    guard let page = UInt32(exactly: offset / Int64(pageBytes) + 1) else { return false }
    read.insert(page)
    guard let bytes = replaced[page] else { return false }
    let start = Int(offset % Int64(pageBytes))
    guard start + byteCount <= pageBytes else { return false }
    bytes.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress {
        target.copyMemory(from: base + start, byteCount: byteCount)
      }
    }
    return true
  }
}
