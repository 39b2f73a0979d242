package import PassageModels
internal import PassageReaders
internal import PassageStores

/// The known model that is most similar to a store of no known version, and the differences.
package struct NearestModel: Sendable {
  /// Where the store's own model was read from.
  package enum Evidence: String, Sendable, Hashable {
    /// The model that Core Data stored inside the store.
    case kept
    /// The store contains no model; it was derived from the tables.
    case guessed
    /// Neither could be read; only the recorded version hashes are compared.
    case hashesOnly
  }

  /// The nearest known model, with the name of its version.
  package let model: Model
  /// The names of other known models that are equally near, in the order of the project.
  package let ties: [String]
  /// The entities whose version hashes differ.
  package let compatibility: Compatibility
  /// Where the store's own model was read from.
  package let evidence: Evidence
  /// The differences from the nearest model to the store's own model: only changes that affect a
  /// version hash, of entities whose hash differs. `nil` when there is no model to compare.
  package let difference: ModelDifference?
  /// Whether the store seems to be newer than every known version: it is nearest to the newest one,
  /// and its model only adds to it.
  package let isNewer: Bool
  /// Whether every difference involves a version hash that cannot be computed with certainty.
  package let isOnlyUnproved: Bool
  /// The configuration of the model that the store was added with, if its version hashes say so.
  package let configuration: MatchedConfiguration?
}

extension NearestModel {
  /// At most this number of models with equally many matching hashes are compared by their
  /// properties.
  private static let maximumCompared = 8

  /// Finds the known model that is most similar to a store.
  ///
  /// A model with a configuration that has exactly these hashes is nearest. Others are ranked by the
  /// number of entities whose version hash differs, then by the number of
  /// properties that differ from the store's own model, then by their order. So the result is
  /// always the same.
  ///
  /// - Parameters:
  ///   - hashes: the version hashes that the store records.
  ///   - storePath: the store, for the model that it contains.
  ///   - models: the known models, in order of preference.
  ///   - newest: the name of the newest version; `nil` when the versions have no order.
  /// - Returns: `nil` when no model is known.
  /// - Complexity: O(m · e + p) for m models of e entities, at most 8 of which are compared by
  ///   their p properties.
  package init?(
    to hashes: [String: [UInt8]], storePath: String, models: [Model], newest: String?
  ) {
    let ranked: [(model: Model, compatibility: Compatibility, distance: Int)] = models.map {
      model in
      let compatibility = Compatibility(recordedHashes: hashes, model: model)
      let isConfigured = MatchedConfiguration(of: model, hashes: hashes) != nil
      return (model, compatibility, isConfigured ? 0 : compatibility.distance)
    }
    guard let least = ranked.map(\.distance).min() else { return nil }
    let (own, evidence) = Self.ownModel(ofStoreAt: storePath)
    let close = ranked.filter { $0.distance == least }.prefix(Self.maximumCompared)
      .map { model, compatibility, _ in
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
    configuration = MatchedConfiguration(of: best.model, hashes: hashes)
  }

  /// The differences to the store's own model, in the entities whose hashes differ.
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
  /// The number of entities that differ, including those that only one side has.
  fileprivate var distance: Int { onlyInStore.count + onlyInModel.count + changed.count }
}

extension ModelDifference {
  /// The number of changes that affect a version hash.
  fileprivate var changeCount: Int {
    onlyInSource.count + onlyInDestination.count
      + changed.reduce(0) { $0 + $1.changes.count { $0.changesVersionHash } }
  }

  /// Whether the newer model only has additional entities and properties.
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
  /// The known model that is most similar to a store of no known version; `nil` when no model is
  /// known.
  ///
  /// - Parameters:
  ///   - hashes: the version hashes that the store records.
  ///   - storePath: the store, for the model that it contains.
  package func nearestModel(
    to hashes: [String: [UInt8]], storePath: String
  ) -> NearestModel? {
    NearestModel(
      to: hashes, storePath: storePath, models: modelsNewestFirst, newest: versionNames.last)
  }
}
