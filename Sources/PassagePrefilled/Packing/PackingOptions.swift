package import PassageModels
internal import PassageStores

/// How a store is packed.
public struct PackingOptions: Sendable {
  /// How a packed store keeps its transactions.
  public enum JournalMode: String, Sendable, Hashable, CaseIterable {
    /// A rollback journal: the store is one file.
    case delete
    /// A write-ahead log, as Core Data uses it.
    case wal

    /// The same for who makes the file.
    var ofTheBuilder: StoreBuilder.JournalMode {
      switch self {
      case .delete: .delete
      case .wal: .wal
      }
    }
  }

  /// Which files of external data come along.
  public enum ExternalFiles: String, Sendable, Hashable, CaseIterable {
    /// Those that an object refers to.
    case referenced
    /// Every file of the store's folder.
    case all
  }

  /// How the packed store keeps its transactions: a rollback journal is one file that can be read from
  /// a folder nobody can write.
  public var journalMode = JournalMode.delete
  /// Which files of external data come along; `nil` for those that are referred to, where the store's
  /// model is known for certain, and all otherwise.
  public var externalFiles: ExternalFiles?
  /// Whether a store is packed although files of external data that it refers to are missing.
  public var allowsMissingFiles = false
  /// How long another process is waited for that packs to the same place.
  public var patience = Duration.seconds(600)

  /// The usual way: one file, and no missing files.
  public init() {}
}

/// The model by which a store is packed.
package struct PackingModel: Sendable {
  package var model: Model
  /// Whether it was guessed from the tables: then it is not known which values are in files of their own.
  package var isGuessed: Bool

  package init(_ model: Model, isGuessed: Bool = false) {
    self.model = model
    self.isGuessed = isGuessed
  }
}
