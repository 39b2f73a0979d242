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
  /// - Throws: `PLN-025` when several have exactly those names; where none has, when versions with the same names
  ///   fit as well; and where the type leaves out what has no value, when any other version fits as well.
  /// - Complexity: that of reading the store once for each version that may fit as well.
  func version(
    _ found: Model, ofForeignStoreAt path: String, _ type: any StoreType
  ) throws(MigrationError) -> Model {
    let others = versionNames.compactMap { models[$0] }.filter {
      ModelHashes(model: $0) != ModelHashes(model: found)
    }
    func fits(_ model: Model) -> Bool { (try? type.open(path: path, as: model)) != nil }
    let namesEvery = type as? any NamesEveryProperty
    if let namesEvery {
      // Another version may fit that has more, or less, than the store.
      let exact = ([found] + others).filter {
        (try? namesEvery.hasExactNames(of: $0, path: path)) == true && fits($0)
      }
      if exact.count > 1 { throw Self.undecided(exact, path, type) }
      if let only = exact.first { return only }
    }
    let names = ShownNames(found)
    // What has no value is not there to tell versions apart.
    let shown = namesEvery == nil ? (try? type.model(path: path)).map(ShownNames.init) : nil
    let fitting =
      [found]
      + others.filter { other in
        let isPossible =
          namesEvery == nil
          ? shown?.hasNoProperty(besides: ShownNames(other)) ?? true
          : ShownNames(other).areAll(of: names)
        return isPossible && fits(other)
      }
    guard fitting.count == 1 else { throw Self.undecided(fitting, path, type) }
    return found
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
        reason:
          "it is \(type.title), which is known by its names, and each version has all of them",
        remedy:
          "name the mapping models that bring it on from its version, in order (--mappings A,B)"))
  }
}

/// The names that a store of another type shows of its model.
private struct ShownNames {
  /// Entities, and properties with the names of their entities.
  private var names: Set<String> = []
  /// In lower case, as an XML store has them.
  private var properties: Set<String> = []

  init(_ model: Model) {
    for entity in model.entities where !entity.isAbstract {
      names.insert(entity.name)
      let attributes = model.attributes(of: entity).filter(\.isStored).map(\.name)
      let links = model.relationships(of: entity).filter { !$0.isTransient }.map(\.name)
      for name in attributes + links {
        names.insert("\(entity.name).\(name)")
        properties.insert(name.lowercased())
      }
    }
  }

  func areAll(of other: Self) -> Bool { names == other.names }

  /// Whether a store with these names may be of a version: it has no others. A file without settings may name its
  /// entity otherwise.
  func hasNoProperty(besides version: Self) -> Bool { properties.isSubset(of: version.properties) }
}
