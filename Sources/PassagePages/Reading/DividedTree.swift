/// The tree of a table or of an index as several trees: each has some of the children of the root, in
/// order, and stands in the root's place.
///
/// What is wrong with the root, or with the keys and the depth where parts meet, is found here. The
/// pages below it are left to whoever walks the parts. Together they are the tree: each page below the
/// root is in one part.
package struct DividedTree {
  package let root: UInt32
  /// The pages that take the root's place, one for each part; `nil` stands for the root as it is. Parts
  /// for which nothing is left are ``empty``.
  package let parts: [[UInt8]?]
  /// The root of a tree of the same kind that has no rows.
  package let empty: [UInt8]
  /// The entries of an index that are between parts, as a leaf in the root's place; `nil` where there
  /// are none.
  package let dividers: [UInt8]?

  /// How many parts there are that something is left for, the first ones.
  package let partCount: Int
  /// Whether there is more than one part.
  package var isDivided: Bool { partCount > 1 }

  /// Divides a tree.
  ///
  /// - Parameters:
  ///   - root: the root page, not the first page of the file.
  ///   - partCount: a tree with few children is divided into fewer parts, the first ones.
  /// - Returns: `nil` for a tree that cannot be divided soundly: a page of it that is read here is damaged
  ///   or has gaps, or the keys or the depth do not go on where parts would meet.
  /// - Throws: an error of the file.
  package init?(_ reader: PageReader, root: UInt32, partCount: Int) throws {
    guard let page = try TreePageView(reader, root) else { return nil }
    self.root = root
    // SQLite takes an interior page with one child for damaged.
    let count = page.kind.isInterior ? max(1, min(partCount, page.childCount / 2)) : 1
    self.partCount = count
    empty = page.emptyRoot
    let rest = Array(repeating: empty, count: partCount - count)
    guard count > 1 else {
      parts = [nil] + rest
      dividers = nil
      return
    }
    let bounds = (0...count).map { $0 * page.childCount / count }
    let starts = bounds.dropLast().dropFirst()
    guard page.isTidy, try Self.fit(reader, page, at: starts) else { return nil }
    parts = zip(bounds, bounds.dropFirst()).map { page.part(children: $0..<$1) } + rest
    dividers = page.kind.isTable ? nil : page.leaf(entries: starts.map { $0 - 1 })
  }

  /// Whether the tree goes on where its parts meet as if it were not divided.
  ///
  /// - Parameter starts: the children with which parts begin, without the first.
  private static func fit(
    _ reader: PageReader, _ root: TreePageView, at starts: ArraySlice<Int>
  ) throws -> Bool {
    guard let first = try edge(reader, below: root.child(0), atEnd: false) else { return false }
    for start in starts {
      guard let before = try edge(reader, below: root.child(start - 1), atEnd: true),
        let after = try edge(reader, below: root.child(start), atEnd: false),
        before.depth == first.depth, after.depth == first.depth
      else { return false }
      guard root.kind.isTable else { continue }
      guard let divider = root.key(start - 1), let last = before.key, let next = after.key,
        last <= divider, divider < next
      else { return false }
    }
    return true
  }

  /// Goes down along an edge of a tree.
  ///
  /// - Returns: how many levels there are, and the first or the last key, of a table; `nil` when a page
  ///   is damaged.
  private static func edge(
    _ reader: PageReader, below page: UInt32, atEnd: Bool
  ) throws -> (depth: Int, key: Int64?)? {
    var number = page
    for depth in 0..<TableSweep.mostLevels {
      guard let page = try TreePageView(reader, number) else { return nil }
      if !page.kind.isInterior {
        guard page.cellCount > 0 else { return nil }
        return (depth, page.kind.isTable ? page.key(atEnd ? page.cellCount - 1 : 0) : nil)
      }
      number = page.child(atEnd ? page.cellCount : 0)
    }
    return nil
  }
}
