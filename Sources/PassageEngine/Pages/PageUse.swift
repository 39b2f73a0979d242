internal import PassagePages
internal import PassageSQLite
internal import Synchronization

/// Which pages of a store its tables use. Threads may share it.
///
/// No page is part of two tables, and none is part of nothing: SQLite's own check of the whole store
/// looks for the same.
final class PageUse: Sendable {
  private let pages: Mutex<PageBits>
  /// The pages that anything may read: the file's header, and the pointer maps.
  private let shared: PageBits

  /// - Parameter roots: the root pages of all tables and indexes.
  init(geometry: PageGeometry, pageCount: UInt32, roots: [UInt32]) {
    var shared = PageBits(pageCount: pageCount)
    shared.insert(1)
    // Nothing reads the page that SQLite locks.
    shared.insert(geometry.lockPage)
    for page in geometry.pointerMaps(of: pageCount) { shared.insert(page) }
    self.shared = shared
    for root in roots { shared.insert(root) }
    pages = Mutex(shared)
  }

  /// Adds what was read for the check of a table.
  ///
  /// - Parameter roots: the root pages of the table and its indexes: other parts of it have them too.
  /// - Returns: whether nothing else uses the pages.
  func add(_ read: PageBits, ofRoots roots: [UInt32]) -> Bool {
    var read = read
    read.subtract(shared)
    for root in roots { read.remove(root) }
    return pages.withLock { $0.formDisjointUnion(read) }
  }

  /// Whether every page of the store is used.
  var isComplete: Bool { pages.withLock { $0.isFull } }
}
