internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores

/// A file of records as a source of the engine. Records are read one at a time into an index on
/// disk, from which the staged store is filled.
final class StreamedForeignStore: ForeignStore {
  private let path: String
  private let model: Model
  private let records: (any RecordSink) throws -> Diagnostics
  private let counts: [String: Int64]

  /// Reads the file once.
  ///
  /// - Parameter records: passes every record of the file to a sink, and returns warnings.
  init(
    path: String, model: Model, records: @escaping (any RecordSink) throws -> Diagnostics
  ) throws {
    self.path = path
    self.model = model
    self.records = records
    let sink = CountingSink()
    _ = try records(sink)
    counts = sink.counts
  }

  func objectCounts() throws -> [String: Int64] {
    var counts = counts
    for entity in model.entities { counts[entity.name, default: 0] += 0 }
    return counts
  }

  func read(into store: StagedStore) throws {
    let graph = try RecordGraph(model: model, path: path, in: store)
    let warnings = try records(graph)
    try graph.resolve(allowsQuarantine: store.maximumQuarantined > 0)
    if store.maximumQuarantined == 0 { try graph.mistakes().throwIfErrors() }
    for warning in warnings.all + graph.warnings { try store.warn(warning) }
    try graph.forEachRejected { try store.quarantine($0.row(path: path)) }
    try graph.write()
  }
}
