public import PassageEngine
public import PassagePrefilled
internal import PassageProjects
internal import PassageReaders
internal import PassageStores

// The engine receives from here what it does not know itself: the types of store, and how to read
// model files.

extension MigrationOptions {
  /// The default options, with every type of store that comes with Passage. See each option for its
  /// default.
  public init() {
    self.init(storeTypes: .builtIn) { hashes, storePath, models in
      NearestModel(to: hashes, storePath: storePath, models: models, newest: nil)?.summary
    }
  }
}

extension InstallationOptions {
  /// The default options. See each option for its default.
  public init() { self.init(migration: MigrationOptions()) }
}
