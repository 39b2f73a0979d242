import Passage
import TestSupport
import Testing

/// What real stores hold beside the objects of their models: all of it must be explained.
@Suite(.enabled(if: Corpus.isPresent)) struct CorpusCompanionTests {
  @Test(arguments: CorpusSeries.samples)
  func `everything in a real store is the model's, Core Data's, or left by an earlier model`(
    sample: CorpusSeries.Sample
  ) throws {
    let store = try StoreFile.open(path: "\(Corpus.root)/\(sample.store)")
    let model = try sample.series.model(sample.model)
    let contents = try store.unmodelledContents(store.layout(of: model))
    let kinds = Set(contents.items.map(\.kind))
    #expect(kinds.isSubset(of: [.history, .formerTable, .formerColumn]), "\(contents.items)")
    let report = try store.externalData(of: model)
    #expect(report?.malformed ?? 0 == 0)
    #expect(report?.unknown ?? 0 == 0)
    if !contents.items.isEmpty || report != nil {
      print(
        "\(sample.store): \(contents.items.map { "\($0.kind) \($0.name) \($0.rows ?? -1)" }), "
          + "\(report?.references ?? 0) references, \(report?.missing ?? 0) missing")
    }
  }
}
