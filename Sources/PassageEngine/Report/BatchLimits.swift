/// The bounds of a batch: what is handled between two commits.
public struct BatchLimits: Sendable, Hashable {
  /// At most so many objects, from 1.
  public var rows: Int
  /// At most about so many bytes of text and blobs, from 1.
  public var bytes: Int

  /// Bounds a batch; it ends at whichever limit is reached first.
  ///
  /// - Parameters:
  ///   - rows: the most objects.
  ///   - bytes: the most bytes of values.
  public init(rows: Int = 50_000, bytes: Int = 16 << 20) {
    self.rows = max(1, rows)
    self.bytes = max(1, bytes)
  }
}
