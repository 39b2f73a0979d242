package import PassageModels
internal import PassageStores

/// How a store is packed.
public struct PackingOptions: Sendable {
  /// The journal mode of a packed store.
  public enum JournalMode: String, Sendable, Hashable, CaseIterable {
    /// A rollback journal: the store is one file.
    case delete
    /// A write-ahead log, as Core Data uses it.
    case wal

    /// The same mode in the type that the store builder uses.
    var ofTheBuilder: StoreBuilder.JournalMode {
      switch self {
      case .delete: .delete
      case .wal: .wal
      }
    }
  }

  /// Which files of external data are packed.
  public enum ExternalFiles: String, Sendable, Hashable, CaseIterable {
    /// The files that an object refers to.
    case referenced
    /// Every file of the store's folder.
    case all
  }

  /// The journal mode of the packed store. A store with a rollback journal is one file that can be
  /// read from a read-only folder.
  public var journalMode = JournalMode.delete
  /// Which files of external data are packed; `nil` for the referenced ones if the store's model is
  /// known for certain, otherwise for all.
  public var externalFiles: ExternalFiles?
  /// Whether a store may be packed if files of external data that it refers to are missing.
  public var allowsMissingFiles = false
  /// How long to wait for another process that packs to the same path.
  public var patience = Duration.seconds(600)

  /// The default options: a rollback journal, and no missing files.
  public init() {}
}

/// The model with which a store is packed.
package struct PackingModel: Sendable {
  package var model: Model
  /// Whether the model was derived from the tables, so that it is unknown which values are in files
  /// of their own.
  package var isGuessed: Bool

  package init(_ model: Model, isGuessed: Bool = false) {
    self.model = model
    self.isGuessed = isGuessed
  }
}
