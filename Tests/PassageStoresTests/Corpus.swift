import Foundation
import TestSupport
import Testing

/// Stores that Apple's Core Data wrote, with their models.
extension Corpus {
  struct Sample: Sendable, CustomTestStringConvertible {
    var store: String
    var model: String
    /// Made again by Core Data: no table was altered by a migration in place.
    var isPristine: Bool

    var testDescription: String { store }
    var storePath: String { Corpus.file(store) }
    var modelPath: String { Corpus.file(model) }
  }

  static let samples: [Sample] =
    [
      sample("books/Model1.sqlite", "books/Model.xcdatamodeld/Model1", isPristine: true),
      sample(
        "cars/SampleModel_V1.sqlite", "cars/SampleModel.xcdatamodeld/SampleModel", isPristine: true),
      sample("cars/SampleModel_V2.sqlite", "cars/SampleModel.xcdatamodeld/SampleModel2"),
      sample(
        "pets/SampleModel3_V1.sqlite", "pets/SampleModel3.xcdatamodeld/SampleModel3",
        isPristine: true),
    ]
    + ["", " 2", " 3"].enumerated().map { index, suffix in
      sample(
        "posts/CoreDataMigration_Example_\(index + 1).sqlite",
        "posts/CoreDataMigration_Example.xcdatamodeld/CoreDataMigration_Example\(suffix)",
        isPristine: true)
    }
    + [
      ("1-25", "", true), ("2-3", "2.3", true), ("2-4", "2.4", true), ("2-8", "2.8", true),
      ("2-21-2", "2.21.2", false), ("2-26-0", "2.26.0", false), ("2-30-0", "2.30.0", false),
      ("2-41-0", "2.41.0", false), ("2-48-0", "2.49.0", false), ("2-60-0", "2.60.0", false),
      ("2-75-0", "2.75.0", false), ("2-93-0", "2.93.0", false), ("2-100-0", "2.98.0", false),
    ].map { store, model, isPristine in
      sample(
        "messaging/store\(store).wiredatabase",
        "messaging/zmessaging.xcdatamodeld/zmessaging\(model)",
        isPristine: isPristine)
    }

  private static func sample(
    _ store: String, _ model: String, isPristine: Bool = false
  ) -> Sample {
    Sample(store: store, model: "\(model).xcdatamodel", isPristine: isPristine)
  }
}
