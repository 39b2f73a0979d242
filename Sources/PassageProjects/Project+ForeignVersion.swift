internal import PassageDiagnostics
internal import PassageEngine
internal import PassageModels
internal import PassageStores

/// Which version a store of another type has that records none: it is known by its names alone.
extension Project {
  /// - Parameters:
  ///   - found: the first version whose names the store has.
  ///   - path: the store's.
  /// - Returns: that version, or the one that has exactly the names of a store that names every property.
  /// - Throws: `PLN-025` when other versions fit as well: those with the same names, and one that lacks what
  ///   the store lacks too, where the type leaves out what has no value.
  /// - Complexity: that of reading the store once for each version that may fit as well.
  func version(
    _ found: Model, ofForeignStoreAt path: String, _ type: any StoreType
  ) throws(MigrationError) -> Model {
    let names = ShownNames(found)
    let others = versionNames.compactMap { models[$0] }.filter {
      ModelHashes(model: $0) != ModelHashes(model: found)
    }
    func fits(_ model: Model) -> Bool { (try? type.open(path: path, as: model)) != nil }
    let equal = others.filter { ShownNames($0) == names }.filter(fits)
    if !equal.isEmpty { throw Self.undecided([found] + equal, path, type) }
    let fewer = others.filter { !ShownNames($0).isAll(of: names) }
    guard !fewer.isEmpty, let declared = try? type.model(path: path) else { return found }
    let shown = ShownNames(declared)
    guard !shown.hasProperties(of: names) else { return found }
    let exact = fewer.filter { shown.hasProperties(of: ShownNames($0)) }.filter(fits)
    guard let first = exact.first else { return found }
    if exact.count == 1, type is any NamesEveryProperty { return first }
    throw Self.undecided([found] + exact, path, type)
  }

  private static func undecided(
    _ models: [Model], _ path: String, _ type: any StoreType
  ) -> MigrationError {
    MigrationError(
      .sourceModelUnknown,
      Diagnostic(
        "PLN-025",
        "the store may be at any of the versions "
          + models.map { "“\($0.name)”" }.joined(separator: ", "),
        at: SourceLocation(file: path),
        reason: "it is \(type.title), which is known by its names, and it has those of each",
        remedy:
          "name the mapping models that bring it on from its version, in order (--mappings A,B)"))
  }
}

/// The names that a store of another type shows of its model.
private struct ShownNames: Equatable {
  /// Entities, and properties with the names of their entities.
  private var names: Set<String> = []
  /// In lower case, as an XML store has them.
  private var properties: Set<String> = []

  init(_ model: Model) {
    for entity in model.entities where !entity.isAbstract {
      names.insert(entity.name)
      let attributes = model.attributes(of: entity).filter(\.isStored).map(\.name)
      let relationships = model.relationships(of: entity).filter { !$0.isTransient }.map(\.name)
      for name in attributes + relationships {
        names.insert("\(entity.name).\(name)")
        properties.insert(name.lowercased())
      }
    }
  }

  func isAll(of other: Self) -> Bool { names.isSuperset(of: other.names) }

  /// Whether the properties have the same names; a file without settings may name its entity otherwise.
  func hasProperties(of other: Self) -> Bool { properties == other.properties }
}
