internal import PassageDiagnostics

/// The shape of a store at one version: Core Data's `NSManagedObjectModel`.
public struct Model: Sendable {
  /// The version's name: that of the history or of the file. Not part of any hash.
  public var name: String

  /// Core Data's version identifiers, as written in the model.
  public var versionIdentifiers: [String]

  /// The entities, sorted by name in code-unit order.
  public let entities: [Entity]

  /// Named subsets of the entities, in the order of the file. Not part of any hash.
  public var configurations: [Model.Configuration]

  /// Named fetch requests, in the order of the file. Not part of any hash.
  public var fetchRequestTemplates: [Model.FetchRequest]

  /// Computed from ``entities``, and therefore not compared for equality.
  let tree: ModelTree

  /// The version hashes, computed from ``entities`` when first needed and shared by all copies.
  package let knownHashes = ComputedOnce<[String: [UInt8]]>()

  /// The mistakes of ``entities``, found when first needed and shared by all copies.
  let knownMistakes = ComputedOnce<[Diagnostic]>()

  /// Creates a model from entities, which are checked when a call prepares a migration, installs a store
  /// or packs one.
  ///
  /// Such a call refuses a model that a file could not have, with the codes of a model's file (`MOD-011` to
  /// `MOD-180`): two entities or two properties of one name, a parent or a destination that does not exist,
  /// a default that does not fit its attribute. A name may have any characters but NUL, and has at least
  /// one (`MOD-010`).
  ///
  /// - Complexity: O(n log n) for n entities.
  public init(
    name: String, versionIdentifiers: [String] = [], entities: [Entity],
    configurations: [Model.Configuration] = [], fetchRequestTemplates: [Model.FetchRequest] = []
  ) {
    self.name = name
    self.versionIdentifiers = versionIdentifiers
    self.entities = entities.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    self.configurations = configurations
    self.fetchRequestTemplates = fetchRequestTemplates
    self.tree = ModelTree(self.entities)
  }

  /// The entity with this name.
  ///
  /// - Complexity: O(1).
  public func entity(named name: String) -> Entity? {
    tree.positionByName[name].map { entities[$0] }
  }
}

extension Model: Hashable {
  /// Whether names, version identifiers, entities, configurations and fetch requests are equal.
  public static func == (a: Model, b: Model) -> Bool {
    a.name == b.name && a.versionIdentifiers == b.versionIdentifiers && a.entities == b.entities
      && a.configurations == b.configurations
      && a.fetchRequestTemplates == b.fetchRequestTemplates
  }

  /// Hashes the properties that equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(versionIdentifiers)
    hasher.combine(entities)
    hasher.combine(configurations)
    hasher.combine(fetchRequestTemplates)
  }
}
