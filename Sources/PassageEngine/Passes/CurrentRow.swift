internal import PassagePages
internal import PassageValues

/// The source object of the row about which a policy decides. Its memory is used for the next row,
/// unless the policy has kept the object.
struct CurrentRow {
  /// The object. Its cells are decoded when they are asked for.
  private(set) var object: SourceObject
  /// The object's row, which the object keeps alive: a second reference would count as the policy's.
  private var row: Unmanaged<StoredRow>
  private let snapshots: RowSnapshots

  init(_ shape: ObjectShape, _ snapshots: RowSnapshots) {
    let first = snapshots.makeRow()
    object = SourceObject(shape: shape, key: 0, row: first)
    row = .passUnretained(first)
    self.snapshots = snapshots
  }

  /// The identity of the row's memory.
  var identity: ObjectIdentifier { row._withUnsafeGuaranteedRef { $0.identity } }

  /// Copies the current row of a copier.
  @inline(__always)
  mutating func read(from copier: RowCopier) {
    object.key = row._withUnsafeGuaranteedRef {
      copier.copyRow(to: $0)
      return $0.content.pointee.key
    }
  }

  /// Leaves the row to those who have kept it, if somebody has. Called before the copier goes on.
  ///
  /// - Parameter isLent: whether objects may have been made of the row that are still there.
  @inline(__always)
  mutating func leaveKept(_ copier: RowCopier, isLent: Bool) {
    if !object.hasSoleRow() || isLent { takeFreshRow(copier) }
  }

  @inline(never)
  private mutating func takeFreshRow(_ copier: RowCopier) {
    copier.leaveCopy()
    if object.hasSoleRow(), row._withUnsafeGuaranteedRef({ $0.hasSoleMemory() }) { return }
    let fresh = snapshots.makeRow()
    object.row = fresh
    row = .passUnretained(fresh)
  }
}
