/// Receives the records of a file, in their order.
protocol RecordSink: AnyObject {
  /// Receives an object.
  func add(_ node: CacheNode) throws
  /// Receives a record that is not an object.
  func reject(_ record: AtomicStore.Contents.RejectedRecord) throws
}

/// Keeps every record in memory.
final class ContentsSink: RecordSink {
  private(set) var contents = AtomicStore.Contents()

  func add(_ node: CacheNode) { contents.nodes.append(node) }

  func reject(_ record: AtomicStore.Contents.RejectedRecord) { contents.rejected.append(record) }
}

/// Counts records without keeping them.
final class CountingSink: RecordSink {
  private(set) var counts: [String: Int64] = [:]

  func add(_ node: CacheNode) { counts[node.identifier.entityName, default: 0] += 1 }

  func reject(_ record: AtomicStore.Contents.RejectedRecord) {
    counts[record.entityName, default: 0] += 1
  }
}
