internal import CorpusPolicies
internal import Foundation
internal import Passage
internal import PassageProjects
internal import PassageTesting

/// Versions of one bundle of models, each of which inference connects with the next.
struct RehearsedSeries {
  /// The path of the bundle below the folder.
  let bundle: String
  let models: [Model]

  /// The series of every bundle. A step that cannot be inferred ends one and begins the next: that it
  /// cannot is judged by ``InferenceCheck``.
  ///
  /// - Parameter limit: the largest number of versions of a bundle; `nil` for all.
  static func all(of pool: ModelPool, limit: Int?) -> [RehearsedSeries] {
    pool.bundles.flatMap { bundle in
      var series: [RehearsedSeries] = []
      var run: [Model] = []
      for model in chosen(distinct(pool.versions(of: bundle).map(\.model)), limit) {
        let isNext =
          run.last.map { (try? InferredMapping.infer(from: $0, to: model)) != nil } ?? true
        if !isNext {
          series.append(RehearsedSeries(bundle: bundle, models: run))
          run = []
        }
        run.append(model)
      }
      return (series + [RehearsedSeries(bundle: bundle, models: run)])
        .filter { $0.models.count > 1 }
    }
  }

  /// Without versions that have the hashes of an earlier one: a store cannot tell them apart.
  private static func distinct(_ models: [Model]) -> [Model] {
    var seen: Set<[String: [UInt8]]> = []
    return models.filter { seen.insert($0.versionHashes).inserted }
  }

  private static func chosen(_ models: [Model], _ limit: Int?) -> [Model] {
    guard let limit, models.count > limit else { return models }
    return (0..<limit).map { models[$0 * (models.count - 1) / (limit - 1)] }
  }

  /// Rehearses the series, and judges each way of each store.
  func rehearse(
    folder: CorpusFolder, size: Int, seed: UInt64, _ report: inout Report
  ) throws {
    let project = try TemporaryDirectory()
    try write(to: project)
    let stores = try realStores(folder)
    var rehearsal = Rehearsal(migrations: project.url("Migrations"), policies: CorpusPolicies.all)
    rehearsal.objectCount = size
    rehearsal.seed = seed
    rehearsal.allowsInference = true
    let found = try rehearsal.run(stores: stores.map { URL(fileURLWithPath: $0.copy.path) })
    let items = Dictionary(
      stores.map { ($0.copy.path, $0.item) }, uniquingKeysWith: { first, _ in first })
    for subject in found.subjects {
      let item = items[subject.name] ?? "\(bundle):\(subject.version ?? "")"
      for trial in subject.trials {
        switch trial.outcome {
        case .passed: report.pass(.ways, item)
        case .failed(let text, _):
          report.fail(.ways, item, "\(trial.way.rawValue) to \(found.target): \(text)")
        case .skipped: break
        }
      }
    }
    withExtendedLifetime(stores) {}
  }

  private func write(to project: TemporaryDirectory) throws {
    for (number, model) in models.enumerated() {
      try project.write(
        Array(ModelDocument.encode(model).utf8), to: "Migrations/\(number + 1).json")
    }
    let history = History(
      versions: models.enumerated().map { .init(name: $1.name, model: "\($0 + 1).json") },
      steps: zip(models, models.dropFirst()).map {
        .init(from: $0.name, to: $1.name, mappings: [])
      })
    try project.write(Array(HistoryDocument.encode(history).utf8), to: "Migrations/history.json")
  }

  /// The stores of the folder that are of one of the versions, copied.
  private func realStores(_ folder: CorpusFolder) throws -> [(item: String, copy: StoreCopy)] {
    try folder.paths(.store).compactMap { item in
      let copy = try StoreCopy(of: folder.location(item))
      guard let hashes = try? StoreRecord(path: copy.path).hashes,
        models.contains(where: { $0.versionHashes == hashes })
      else { return nil }
      return (item, copy)
    }
  }
}
