/// Whether a store and a model are compatible: compares a store's recorded version hashes with
/// those of a model.
///
/// A store opens with a model if both have the same entities and all version hashes are equal.
package struct Compatibility: Sendable, Hashable {
  /// Entities that only the store has, sorted by name in code-unit order.
  package let onlyInStore: [String]
  /// Entities that only the model has, sorted by name in code-unit order.
  package let onlyInModel: [String]
  /// Entities of both whose version hashes differ, sorted by name in code-unit order.
  package let changed: [String]
  /// The model's name, for sentences.
  package let modelName: String

  /// - Parameters:
  ///   - recordedHashes: `NSStoreModelVersionHashes` of the store: 32 bytes by entity name.
  ///   - model: the model.
  package init(recordedHashes: [String: [UInt8]], model: Model) {
    let hashes = model.versionHashes
    self.modelName = model.name
    self.onlyInStore = Self.sorted(recordedHashes.keys.filter { hashes[$0] == nil })
    self.onlyInModel = Self.sorted(hashes.keys.filter { recordedHashes[$0] == nil })
    self.changed = Self.sorted(
      recordedHashes.keys.filter { name in
        hashes[name].map { $0 != recordedHashes[name] } ?? false
      })
  }

  /// Whether the store opens with the model.
  package var isCompatible: Bool { onlyInStore.isEmpty && onlyInModel.isEmpty && changed.isEmpty }

  private static func sorted(_ names: [String]) -> [String] {
    names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension Compatibility: CustomStringConvertible {
  /// One line if they are compatible; otherwise one line for each kind of difference, with the
  /// entities' names.
  package var description: String {
    if isCompatible { return "the store is of model “\(modelName)”" }
    var lines: [String] = []
    func add(_ names: [String], _ what: String) {
      if !names.isEmpty { lines.append("\(what): \(names.joined(separator: ", "))") }
    }
    add(onlyInStore, "only in the store")
    add(onlyInModel, "only in “\(modelName)”")
    add(changed, "different in “\(modelName)”")
    return lines.joined(separator: "\n")
  }
}
