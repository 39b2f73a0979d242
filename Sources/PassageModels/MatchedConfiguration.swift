/// The configuration of a known model whose entities a store has, and no others.
///
/// An app can add a store with a configuration. The store then records the version hashes of these entities
/// alone, so that it is of no whole model.
package struct MatchedConfiguration: Sendable, Hashable {
  /// The configuration's name.
  package let name: String
  private let modelName: String
  private let entityNames: [String]
  /// The model's entities that the store lacks.
  private let otherNames: [String]

  /// - Parameters:
  ///   - model: a known model.
  ///   - hashes: the version hashes that a store records.
  /// - Returns: `nil` unless the hashes are exactly those of a configuration with some of the model's
  ///   entities.
  package init?(of model: Model, hashes: [String: [UInt8]]) {
    let names = Set(hashes.keys)
    guard !names.isEmpty, names.count < model.entities.count,
      let found = model.configurations.first(where: { Set($0.entityNames) == names })
    else { return nil }
    let known = model.versionHashes
    guard hashes.allSatisfy({ known[$0.key] == $0.value }) else { return nil }
    name = found.name
    modelName = model.name
    // A model's entities are in order.
    entityNames = model.entities.map(\.name).filter(names.contains)
    otherNames = model.entities.map(\.name).filter { !names.contains($0) }
  }

  /// What the store is, as a clause.
  package var sentence: String {
    "the store has only the entities of the configuration “\(name)” of “\(modelName)”, without "
      + Self.shown(otherNames)
  }

  /// What to do with such a store.
  package var remedy: String {
    "write models that have only the entities of “\(name)” (\(Self.shown(entityNames))), of the "
      + "store's version and of the one to reach, and name them in place of these (--models PATH); "
      + "if the app had no other entities when it wrote the store, name the model of that version instead"
  }

  private static func shown(_ names: [String]) -> String {
    let more = names.count > 5 ? " and \(names.count - 5) more" : ""
    return names.prefix(5).joined(separator: ", ") + more
  }
}
