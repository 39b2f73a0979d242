import PassageModels
import PassageReaders
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// A store created from scratch from the model against the one Core Data made, object by object of the schema.
@Suite(.enabled(if: Corpus.isPresent))
struct CorpusComparisonTests {
  @Test(arguments: Corpus.samples)
  func `a new store has the schema of the one Core Data made`(sample: Corpus.Sample) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.copy(sample.storePath, to: "store.sqlite")
    let model = try ModelFile.read(path: sample.modelPath)
    let comparison = try LayoutComparison(storeAt: path, model: model)
    print("\(sample.store): \(comparison.summary)")
    #expect(comparison.differences.isEmpty)
    #expect(comparison.equalCount > 0)
    if sample.isPristine {
      #expect(!comparison.isMigratedInPlace)
      // All that may differ in a store that was created from scratch.
      let known: Set<LayoutComparison.Exception> = [
        .orderOfOrderColumns, .oldIndexForm, .noModelCache,
      ]
      #expect(Set(comparison.exceptions.map(\.exception)).isSubset(of: known))
    }
  }
}
