import Foundation
import Passage
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// What real stores hold beside the objects of their models: all of it must be explained.
@Suite(.enabled(if: Corpus.isPresent)) struct CorpusCompanionTests {
  @Test(arguments: CorpusSeries.samples)
  func `everything in a real store is the model's, Core Data's, or left by an earlier model`(
    sample: CorpusSeries.Sample
  ) throws {
    // Of two that read one store at a time, one could leave an empty log beside it.
    let folder = try TemporaryDirectory()
    let unit = StoreUnit(path: "\(Corpus.root)/\(sample.store)")
    let copy = StoreUnit(path: folder.path("store.sqlite"))
    for (from, to) in [
      (unit.path, copy.path), (unit.walPath, copy.walPath), (unit.supportPath, copy.supportPath),
    ] where FileManager.default.fileExists(atPath: from) {
      try FileManager.default.copyItem(atPath: from, toPath: to)
    }
    let store = try StoreFile.open(path: copy.path)
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
