public import PassageStores

/// What belongs to a source besides the objects of its model, and what becomes of it.
public struct StoreCompanions: Sendable, Hashable, Codable {
  /// What becomes of the persistent history.
  public struct History: Sendable, Hashable, Codable {
    /// The number of rows in all its tables.
    public var rows: Int64
    /// Whether the new store contains the history.
    public var isCarriedOver: Bool
    /// Why it is left out; `nil` when it is carried over.
    public var reason: String?
  }

  /// The persistent history; `nil` when the source has none.
  public var history: History?
  /// Tables, columns, views and triggers that the new store does not have.
  public var leftOut: [UnmodelledContents.Item] = []
  /// The values in files of their own: in a plan those of the source, in a report those of the new
  /// store; `nil` when there is no such attribute.
  public var externalData: ExternalDataReport?

  /// No companions.
  public init() {}
}
