internal import PassageModels

/// What one migration says of itself in the store it made: what ran, when, from what, and with which
/// counts.
///
/// It is kept in the store's metadata, in a ``MigrationLedger``. Anybody who can write to the store can write
/// the record: it is reported, and compared, and nothing is done because of what it says.
package struct MigrationRecord: Sendable, Hashable {
  /// One step: from one version to another.
  package struct Step: Sendable, Hashable {
    /// The name of the version the objects came from.
    package var source: String
    /// The name of the version they were brought to.
    package var destination: String
    /// The checksum of the source's version hashes: `Model.versionChecksum`.
    package var sourceChecksum: String
    /// The checksum of the destination's version hashes.
    package var destinationChecksum: String
    /// The names of the mapping models, in the order they ran.
    package var mappings: [String]
    /// Those of them that were inferred from the two models.
    package var inferred: [String]
    /// Both models, the mapping models, the options that decide the result and the revisions that
    /// policies and functions give, in 64 hexadecimal digits.
    package var digest: String
    package var counts: Counts
    /// What became of values that have no place in the new version; at most ``maximumLosses``.
    package var losses: [Loss]
    /// How many further losses there were, which are not kept.
    package var unlistedLosses: Int64

    /// So many losses are kept of a step.
    package static let maximumLosses = 100

    package init(
      source: String, destination: String, sourceChecksum: String, destinationChecksum: String,
      mappings: [String], inferred: [String] = [], digest: String, counts: Counts = Counts(),
      losses: [Loss] = [], unlistedLosses: Int64 = 0
    ) {
      self.source = source
      self.destination = destination
      self.sourceChecksum = sourceChecksum
      self.destinationChecksum = destinationChecksum
      self.mappings = mappings
      self.inferred = inferred
      self.digest = digest
      self.counts = counts
      self.losses = Array(losses.prefix(Self.maximumLosses))
      self.unlistedLosses = unlistedLosses.saturatingAdd(
        Int64(max(0, losses.count - Self.maximumLosses)))
    }
  }

  /// What became of the objects of a step, over all of its entity mappings:
  /// `read = filtered + migrated + merged + removed + quarantined` and
  /// `made = migrated + split + added`.
  package struct Counts: Sendable, Hashable {
    package var read: Int64 = 0
    package var filtered: Int64 = 0
    package var migrated: Int64 = 0
    package var split: Int64 = 0
    package var merged: Int64 = 0
    package var removed: Int64 = 0
    package var quarantined: Int64 = 0
    package var added: Int64 = 0
    package var made: Int64 = 0

    package init() {}
  }

  /// Values of the source that the destination does not hold.
  package struct Loss: Sendable, Hashable {
    /// The source entity, or for values that became nil the destination entity.
    package var entity: String
    /// The property whose values or links they are.
    package var property: String
    /// How they were lost, as the report of the migration says it: `unread`, `becameNil`, `emptied`.
    package var kind: String
    package var values: Int64

    package init(entity: String, property: String, kind: String, values: Int64) {
      self.entity = entity
      self.property = property
      self.kind = kind
      self.values = values
    }
  }

  /// In the order they ran; at least one.
  package var steps: [Step]
  /// The version of Passage.
  package var toolVersion: String
  /// When the migration began, in seconds since 2001-01-01 UTC: the present that its values have.
  package var seconds: Double
  /// The UUID of the store it read.
  package var storeUUID: String

  package init(steps: [Step], toolVersion: String, seconds: Double, storeUUID: String) {
    self.steps = steps
    self.toolVersion = toolVersion
    self.seconds = seconds
    self.storeUUID = storeUUID
  }

  /// A digest of the digests of steps.
  package static func digest(of digests: [String]) -> String {
    var digest = ContentDigest()
    digest.add(digests)
    return digest.text
  }

  /// A digest of all that decided the result, in 64 hexadecimal digits: that of the step, or of the
  /// steps' digests where there are several.
  package var digest: String {
    steps.count == 1 ? steps[0].digest : Self.digest(of: steps.map(\.digest))
  }
}
