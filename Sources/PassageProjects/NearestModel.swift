package import PassageModels
internal import PassageReaders
internal import PassageStores

/// The known model that is most like a store of no known version, and what is different.
package struct NearestModel: Sendable {
  /// What the store's own model was taken from.
  package enum Evidence: String, Sendable, Hashable {
    /// Core Data keeps the model inside the store.
    case kept
    /// The store keeps none; it was guessed from the tables.
    case guessed
    /// Neither could be read: only the recorded version hashes are compared.
    case hashesOnly
  }

  /// The nearest known model, with the name of its version.
  package let model: Model
  /// Other known models that are as near, by name in the order of the project.
  package let ties: [String]
  /// Which entities differ, by their version hashes.
  package let compatibility: Compatibility
  /// What the store's own model was taken from.
  package let evidence: Evidence
  /// What the store's own model has else than the nearest one, from the nearest one to the store;
  /// only what takes part in a version hash, of entities whose hash differs. `nil` where there is no
  /// model to compare.
  package let difference: ModelDifference?
  /// Whether the store seems to be newer than every known version: it is nearest to the newest one
  /// and only has more.
  package let isNewer: Bool
  /// Whether every difference is one between a recorded hash and one that cannot be computed.
  package let isOnlyUnproved: Bool
}

extension NearestModel {
  /// So many models with as many equal hashes are looked at property by property.
  private static let maximumCompared = 8

  /// Finds the known model that is most like a store.
  ///
  /// Models are ranked by the entities whose version hash agrees, then by the properties that differ
  /// from the store's own model, then by their order; so the answer is the same everywhere.
  ///
  /// - Parameters:
  ///   - hashes: the version hashes that the store records.
  ///   - storePath: the store, for the model it keeps.
  ///   - models: the known models, the one to prefer first.
  ///   - newest: the name of the newest version; `nil` where versions have no order.
  /// - Returns: `nil` when no model is known.
  /// - Complexity: O(m · e + p) for m models of e entities, 8 of which at most are compared by their
  ///   p properties.
  package init?(
    to hashes: [String: [UInt8]], storePath: String, models: [Model], newest: String?
  ) {
    let ranked = models.map { ($0, Compatibility(recordedHashes: hashes, model: $0)) }
    guard let least = ranked.map(\.1.distance).min() else { return nil }
    let (own, evidence) = Self.ownModel(ofStoreAt: storePath)
    let close = ranked.filter { $0.1.distance == least }.prefix(Self.maximumCompared)
      .map { model, compatibility in
        let difference = own.map { Self.difference(from: model, to: $0, compatibility, evidence) }
        return (
          model: model, compatibility: compatibility, difference: difference,
          changes: difference?.changeCount ?? 0
        )
      }
    guard let fewest = close.map(\.changes).min(),
      let best = close.first(where: { $0.changes == fewest })
    else { return nil }
    model = best.model
    ties = close.filter { $0.changes == fewest }.dropFirst().map(\.model.name)
    compatibility = best.compatibility
    self.evidence = evidence
    difference = best.difference
    isNewer =
      best.model.name == newest && best.compatibility.onlyInModel.isEmpty
      && (best.difference.map(\.onlyAdds) ?? best.compatibility.changed.isEmpty)
    let unproved = Set(best.model.entitiesWithUnprovedHash)
    isOnlyUnproved =
      best.compatibility.onlyInModel.isEmpty && best.compatibility.onlyInStore.isEmpty
      && best.compatibility.changed.allSatisfy(unproved.contains)
  }

  /// What the store's own model has else, in the entities whose hashes do not agree.
  private static func difference(
    from model: Model, to own: Model, _ compatibility: Compatibility,
    _ evidence: NearestModel.Evidence
  ) -> ModelDifference {
    if evidence == .guessed { return TableDifference.find(from: model, to: own, compatibility) }
    let concerned = Set(
      compatibility.changed + compatibility.onlyInStore + compatibility.onlyInModel)
    return ModelDifference(from: model, to: own)
      .filtered {
        concerned.contains($0)
      } changes: {
        $0.changesVersionHash
      }
  }

  private static func ownModel(
    ofStoreAt path: String
  ) -> (model: Model?, evidence: NearestModel.Evidence) {
    guard let read = try? ModelFile.load(path: path) else { return (nil, .hashesOnly) }
    return (read.model, read.isGuessed ? .guessed : .kept)
  }
}

extension Compatibility {
  /// Entities that do not agree; one that only one side has counts as one that differs.
  fileprivate var distance: Int { onlyInStore.count + onlyInModel.count + changed.count }
}

extension ModelDifference {
  /// Changes that take part in a version hash.
  fileprivate var changeCount: Int {
    onlyInSource.count + onlyInDestination.count
      + changed.reduce(0) { $0 + $1.changes.count { $0.changesVersionHash } }
  }

  /// Whether the newer model only has entities and properties more.
  fileprivate var onlyAdds: Bool {
    onlyInSource.isEmpty
      && changed.allSatisfy { entity in
        entity.changes.allSatisfy {
          if case .added = $0 { return true }
          return !$0.changesVersionHash
        }
      }
  }
}

extension Project {
  /// The known model that is most like a store of no known version; `nil` when no model is known.
  ///
  /// - Parameters:
  ///   - hashes: the version hashes that the store records.
  ///   - storePath: the store, for the model it keeps.
  package func nearestModel(
    to hashes: [String: [UInt8]], storePath: String
  ) -> NearestModel? {
    NearestModel(
      to: hashes, storePath: storePath, models: modelsNewestFirst, newest: versionNames.last)
  }
}
