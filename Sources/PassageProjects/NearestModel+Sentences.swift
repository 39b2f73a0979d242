internal import PassageModels

extension NearestModel {
  /// One line: the nearest model and the number of entities that differ, with the names of the
  /// first few; or the model's configuration that the store has.
  package var summary: String {
    if let configuration { return configuration.sentence }
    let names = compatibility.changed + compatibility.onlyInStore + compatibility.onlyInModel
    let shown = names.prefix(5).joined(separator: ", ")
    let more = names.count > 5 ? " and \(names.count - 5) more" : ""
    let differ = names.count == 1 ? "1 entity differs" : "\(names.count) entities differ"
    let newer = isNewer ? "; the store seems to be newer than every known version" : ""
    let unproved =
      isOnlyUnproved ? "; no hash of what differs can be computed with certainty" : ""
    return
      "the nearest known version is “\(model.name)”: \(differ) (\(shown)\(more))\(newer)\(unproved)"
  }

  /// The known differences from the nearest model to the store, one per line: the changes of
  /// properties if the store's own model is known, otherwise only the entities.
  package var lines: [String] {
    guard let difference else { return hashLines(Set()) }
    var explained = Set(difference.changed.map(\.name))
    // An entity's hash includes that of its parent, so a change there also changes this one.
    for entity in model.entities
    where model.lineage(of: entity).contains(where: { explained.contains($0.name) }) {
      explained.insert(entity.name)
    }
    let changes = difference.changed.flatMap { entity in
      entity.changes.map { "\(entity.name): \($0)" }
    }
    return changes + hashLines(explained)
  }

  /// - Parameter explained: the entities whose different hash is already explained by changes.
  private func hashLines(_ explained: Set<String>) -> [String] {
    let unproved = Set(model.entitiesWithUnprovedHash)
    return compatibility.changed.filter { !explained.contains($0) }.map {
      unproved.contains($0)
        ? "\($0): another version hash, but the one of “\(model.name)” cannot be computed with certainty"
        : "\($0): another version hash"
    }
      + compatibility.onlyInStore.filter { !explained.contains($0) }.map {
        "\($0): only in the store"
      }
      + compatibility.onlyInModel.map { "\($0): only in “\(model.name)”" }
  }
}

extension NearestModel.Evidence {
  /// The origin of the differences, as a clause.
  package var sentence: String {
    switch self {
    case .kept: "according to the model inside the store"
    case .guessed: "a guess from the store's tables, because it contains no model"
    case .hashesOnly:
      "according to version hashes alone, because the store's own model cannot be "
        + "read"
    }
  }
}
