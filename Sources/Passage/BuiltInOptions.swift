internal import PassageReaders
public import PassageEngine
public import PassagePrefilled
internal import PassageProjects
internal import PassageStores

// The engine is given what it does not know itself: the types of store, and how files of models are read.

extension MigrationOptions {
  /// The usual way, with every type of store that comes with Passage: see each option for what that
  /// means.
  public init() {
    self.init(storeTypes: .builtIn) { hashes, storePath, models in
      NearestModel(to: hashes, storePath: storePath, models: models, newest: nil)?.summary
    }
  }
}

extension InstallationOptions {
  /// The usual way: see each option for what that means.
  public init() { self.init(migration: MigrationOptions()) }
}
