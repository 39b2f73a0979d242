package import PassageFiles

/// The memory and the temporary file that sorters share, however many entries they get.
///
/// Every sorter may take an equal share. It grows by the shares of those that are done; make all
/// sorters that are filled at the same time before the first entry, so that none has taken more
/// than its share. One thread at a time uses the memory and its sorters.
package final class SortMemory {
  /// Less than this does not hold the buffers of a merge.
  static let leastShare = 4_096

  /// The bytes that all sorters take together. An entry that is longer than a share takes as much
  /// as it needs.
  package let byteCount: Int
  let file: SpillFile
  private var sorterCount = 0

  /// - Parameters:
  ///   - byteCount: of all sorters together, at least 4 kB for each of them.
  ///   - makeFile: makes the file for what does not fit into memory. It is called once, or not at
  ///     all; the caller removes the file when the sorters are done.
  package init(byteCount: Int, makeFile: @escaping () throws -> PositionalFile) {
    self.byteCount = byteCount
    file = SpillFile(make: makeFile)
  }

  /// The bytes that a sorter may take now.
  var share: Int { max(Self.leastShare, byteCount / max(1, sorterCount)) & ~63 }

  func join() { sorterCount += 1 }
  func leave() { sorterCount -= 1 }
}
