/// The limits of a batch, which is what is handled between two commits.
public struct BatchLimits: Sendable, Hashable {
  /// The maximum number of objects, at least 1; less counts as 1.
  public var rows: Int {
    didSet { rows = max(1, rows) }
  }
  /// The approximate maximum size of text and blobs in bytes, at least 1; less counts as 1.
  public var bytes: Int {
    didSet { bytes = max(1, bytes) }
  }

  /// Sets the limits of a batch, which ends at whichever is reached first.
  ///
  /// - Parameters:
  ///   - rows: the maximum number of objects; less than 1 counts as 1.
  ///   - bytes: the maximum size of values, in bytes; less than 1 counts as 1.
  public init(rows: Int = 50_000, bytes: Int = 16 << 20) {
    self.rows = max(1, rows)
    self.bytes = max(1, bytes)
  }
}

extension BatchLimits {
  /// Whether batches are large enough for ranges of several threads: a range has fewer than 10,000
  /// rows, unless they are tiny.
  var allowThreads: Bool { rows >= 10_000 }
}
