internal import PassageDiagnostics
internal import PassageEngine
internal import PassageModels
internal import PassageStores

/// Whether the version of a store of another type is certain.
extension Project {
  /// Refuses to guess the version of a store that records none: it is known by its names alone.
  ///
  /// A store may have the names of several versions: of two that differ in nothing that it shows, or of one
  /// that lacks what the store lacks too.
  ///
  /// - Parameters:
  ///   - found: the first version whose names the store has.
  ///   - path: the store's.
  /// - Throws: `PLN-025` when another version fits as well.
  /// - Complexity: that of reading the store once for each version that may fit as well.
  func checkVersion(
    _ found: Model, ofForeignStoreAt path: String, _ type: any StoreType
  ) throws(MigrationError) {
    let shape = ForeignShape(found)
    // A file without a settings file may declare an entity of another name.
    lazy var declared = (try? type.model(path: path)).map { ForeignShape($0).propertyNames }
    let others = versionNames.compactMap { models[$0] }.filter { other in
      guard ModelHashes(model: other) != ModelHashes(model: found) else { return false }
      let otherShape = ForeignShape(other)
      if otherShape != shape {
        guard otherShape.names.isStrictSubset(of: shape.names) else { return false }
        guard let declared, declared.isSubset(of: otherShape.propertyNames) else { return false }
      }
      return (try? type.open(path: path, as: other)) != nil
    }
    guard !others.isEmpty else { return }
    let names = ([found] + others).map { "“\($0.name)”" }
    throw MigrationError(
      .sourceModelUnknown,
      Diagnostic(
        "PLN-025", "the store may be at any of the versions \(names.joined(separator: ", "))",
        at: SourceLocation(file: path),
        reason: "it is \(type.title), which is known by its names, and it has those of each",
        remedy:
          "name the mapping models that bring it on from its version, in order (--mappings A,B)"))
  }
}

/// What a store of another type shows of its model.
private struct ForeignShape: Equatable {
  /// The names of entities and of their stored properties.
  let names: Set<String>
  private(set) var propertyNames: Set<String> = []
  private let properties: [String: String]

  init(_ model: Model) {
    var properties: [String: String] = [:]
    for entity in model.entities where !entity.isAbstract {
      properties[entity.name] = ""
      for attribute in model.attributes(of: entity) where attribute.isStored {
        propertyNames.insert(attribute.name)
        properties["\(entity.name).\(attribute.name)"] =
          "\(attribute.type) \(attribute.isOptional)"
      }
      for relationship in model.relationships(of: entity) where !relationship.isTransient {
        propertyNames.insert(relationship.name)
        properties["\(entity.name).\(relationship.name)"] =
          "\(relationship.destinationEntityName) \(relationship.minimumCount) "
          + "\(relationship.maximumCount) \(relationship.isOptional)"
      }
    }
    names = Set(properties.keys)
    self.properties = properties
  }
}
