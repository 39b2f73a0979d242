package import PassageModels

/// A model as a store keeps it in `Z_MODELCACHE`: a keyed archive of `NSManagedObjectModel`,
/// compressed with raw DEFLATE.
///
/// With it, a store tells its own property names and types. It is made when it is first asked for,
/// once for all stores of a plan.
package final class ModelArchive: Sendable {
  /// The largest number of entities and properties, inherited ones counted for every descendant.
  /// It is the largest number that a reader accepts.
  package static let maximumParts = 100_000

  private let model: Model
  private let made = ComputedOnce<[UInt8]?>()

  /// Creates the archive of a model.
  package init(_ model: Model) { self.model = model }

  /// The contents of `Z_CONTENT`; `nil` for a model that cannot be kept: it has more than
  /// ``maximumParts``, or a part on which a version hash depends has no known archived form.
  ///
  /// - Complexity: O(n) in the properties, where an inherited one counts for each descendant.
  package var content: [UInt8]? {
    made.value { Self.bytes(of: model).flatMap { try? RawDeflate.compress($0) } }
  }

  /// The archive before it is compressed; `nil` as for ``content``.
  package static func bytes(of model: Model) -> [UInt8]? {
    guard hasFewParts(model), var archiver = ModelArchiver(model) else { return nil }
    return archiver.archive()
  }

  private static func hasFewParts(_ model: Model) -> Bool {
    var parts = 0
    for entity in model.entities {
      for ancestor in model.lineage(of: entity) {
        parts +=
          1 + ancestor.attributes.count + ancestor.relationships.count
          + ancestor.fetchedProperties.count
        if parts > maximumParts { return false }
      }
    }
    return true
  }
}
