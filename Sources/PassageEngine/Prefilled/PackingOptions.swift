public import PassageModels
public import PassageStores

/// How a store is packed.
public struct PackingOptions: Sendable {
  /// Which files of external data come along.
  public enum ExternalFiles: String, Sendable, Hashable, CaseIterable {
    /// Those that an object refers to.
    case referenced
    /// Every file of the store's folder.
    case all
  }

  /// How the packed store keeps its transactions: a rollback journal is one file that can be read from
  /// a folder nobody can write.
  public var journalMode = StoreBuilder.JournalMode.delete
  /// Which files of external data come along; `nil` for those that are referred to, where the store's
  /// model is known for certain, and all otherwise.
  public var externalFiles: ExternalFiles?
  /// Whether a store is packed although files of external data that it refers to are missing.
  public var allowsMissingFiles = false
  /// How long another process is waited for that packs to the same place.
  public var patience = Duration.seconds(600)

  public init() {}
}

/// The model by which a store is packed.
public struct PackingModel: Sendable {
  public var model: Model
  /// Whether it was guessed from the tables: then nothing tells which values are in files of their own.
  public var isGuessed: Bool

  public init(_ model: Model, isGuessed: Bool = false) {
    self.model = model
    self.isGuessed = isGuessed
  }
}
