import Foundation
import Passage
import TestSupport
import Testing

/// Model series with stores, real public data beside the package, which is never part of it.
struct CorpusSeries: Sendable, CustomTestStringConvertible {
  /// Two models that follow one another.
  struct Pair: Sendable, CustomTestStringConvertible {
    var older: String
    var newer: String
    var testDescription: String { "\(older) to \(newer)" }
  }

  static let messaging = CorpusSeries(path: "messaging/zmessaging.xcdatamodeld")
  static let pets = CorpusSeries(path: "pets/SampleModel3.xcdatamodeld")
  static let posts = CorpusSeries(
    path: "posts/CoreDataMigration_Example.xcdatamodeld",
    notInferable: ["CoreDataMigration_Example 3": ["INF-007"]])
  static let cars = CorpusSeries(path: "cars/SampleModel.xcdatamodeld")
  static let books = CorpusSeries(path: "books/Model.xcdatamodeld")

  /// Below the corpus.
  let path: String
  /// The codes of what cannot be inferred, by the newer model of the pair.
  var notInferable: [String: [String]] = [:]

  var testDescription: String { path }

  /// The models' names in the order of their versions.
  var names: [String] {
    ((try? ModelFile.list(path: "\(Corpus.root)/\(path)")) ?? ModelVersions(names: [], current: nil))
      .names
  }

  var pairs: [Pair] { zip(names, names.dropFirst()).map { Pair(older: $0, newer: $1) } }

  func model(_ name: String) throws -> Model {
    try ModelFile.read(path: "\(Corpus.root)/\(path):\(name)")
  }

  /// A store and the model it was written with.
  struct Sample: Sendable, CustomTestStringConvertible {
    var store: String
    var series: CorpusSeries
    var model: String
    /// The version to reach; `nil` for the newest.
    var target: String?
    var testDescription: String { "\(store) to \(target ?? "the newest version")" }
  }

  static let samples: [Sample] =
    [
      ("1-25", ""), ("2-3", "2.3"), ("2-4", "2.4"), ("2-8", "2.8"), ("2-21-2", "2.21.2"),
      ("2-26-0", "2.26.0"), ("2-30-0", "2.30.0"), ("2-41-0", "2.41.0"), ("2-48-0", "2.49.0"),
      ("2-60-0", "2.60.0"), ("2-75-0", "2.75.0"), ("2-93-0", "2.93.0"), ("2-100-0", "2.98.0"),
    ].map { store, model in
      Sample(
        store: "messaging/store\(store).wiredatabase", series: messaging,
        model: "zmessaging\(model)")
    } + [
      Sample(store: "pets/SampleModel3_V1.sqlite", series: pets, model: "SampleModel3"),
      Sample(
        store: "pets/SampleModel3_V1.sqlite", series: pets, model: "SampleModel3",
        target: "SampleModel3_v2"),
      Sample(
        store: "posts/CoreDataMigration_Example_1.sqlite", series: posts,
        model: "CoreDataMigration_Example", target: "CoreDataMigration_Example 2"),
      Sample(
        store: "posts/CoreDataMigration_Example_3.sqlite", series: posts,
        model: "CoreDataMigration_Example 3"),
      Sample(
        store: "cars/SampleModel_V1.sqlite", series: cars, model: "SampleModel",
        target: "SampleModel2"),
      Sample(store: "cars/SampleModel_V2.sqlite", series: cars, model: "SampleModel2"),
      Sample(store: "books/Model1.sqlite", series: books, model: "Model1", target: "Model2"),
    ]
}
