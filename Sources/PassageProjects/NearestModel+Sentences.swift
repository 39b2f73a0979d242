internal import PassageModels

extension NearestModel {
  /// One line: the nearest model and how many entities differ, the first few by name.
  package var summary: String {
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

  /// What is known of each difference, a line each, from the nearest model to the store: the changes
  /// of properties where the store's own model is known, the entities alone where it is not.
  package var lines: [String] {
    guard let difference else { return hashLines(Set()) }
    var explained = Set(difference.changed.map(\.name))
    // A child's hash holds its parent's: what changes there changes here.
    for entity in model.entities
    where model.lineage(of: entity).contains(where: { explained.contains($0.name) }) {
      explained.insert(entity.name)
    }
    let changes = difference.changed.flatMap { entity in
      entity.changes.map { "\(entity.name): \($0)" }
    }
    return changes + hashLines(explained)
  }

  /// - Parameter explained: entities whose other hash has been explained by changes.
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
  /// Where the differences are from, as a clause.
  package var sentence: String {
    switch self {
    case .kept: "by the model that the store keeps"
    case .guessed: "by the store's tables, since it keeps no model: a guess"
    case .hashesOnly: "by version hashes alone: the store's own model cannot be read"
    }
  }
}
