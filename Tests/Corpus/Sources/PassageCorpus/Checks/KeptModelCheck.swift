internal import Passage
internal import PassageTesting

/// Holds the models that stores keep, and compiled ones, against the Xcode models they were made from.
struct KeptModelCheck {
  let folder: CorpusFolder
  let pool: ModelPool

  func run(_ report: inout Report) {
    for store in folder.paths(.store) {
      do {
        let read = try StoreCopy.read(folder.location(store)) { try ModelFile.load(path: $0) }
        if let guess = read.remarks.all.first(where: { $0.code == "MOD-127" }) {
          guessed(read, store, guess, &report)
        } else {
          compare(read, hashes: read.recordedHashes, item: store, &report)
        }
      } catch {
        report.fail(.keptModels, store, "\(error)")
      }
    }
    for entry in pool.entries where entry.isCompiled {
      compare(entry.read, hashes: entry.hashes, item: entry.path, &report)
    }
  }

  private func compare(
    _ read: ReadModel, hashes: [String: [UInt8]], item: String, _ report: inout Report
  ) {
    guard read.model.versionHashes == hashes else {
      report.fail(
        .keptModels, item,
        "\(Compatibility(recordedHashes: hashes, model: read.model))")
      return
    }
    let sources = pool.models(hashes: hashes, near: item)
    // Versions that differ only in what no hash counts are distinguished by the model itself.
    // A store shows names besides that no model has.
    let differences = sources.map {
      ModelComparison(read.model, $0.model.adoptingJoinTableNames(of: read.model)).differences
    }
    guard let fewest = differences.min(by: { $0.count < $1.count }) else {
      report.fail(.keptModels, item, "no Xcode model here has its hashes")
      return
    }
    report.judge(.keptModels, item, fewest)
  }

  /// A store without a model: what its tables tell must at least name every entity.
  private func guessed(
    _ read: ReadModel, _ store: String, _ guess: Diagnostic, _ report: inout Report
  ) {
    var mistakes: [String] = []
    if Set(read.model.entities.map(\.name)) != Set(read.recordedHashes.keys) {
      mistakes.append("the guessed model has other entities than the store's hashes")
    }
    if !read.model.entities.contains(where: { !$0.attributes.isEmpty }) {
      mistakes.append("the guessed model has no attributes")
    }
    report.fail(.keptModels, store, (mistakes + [guess.description]).joined(separator: "\n"))
  }
}
