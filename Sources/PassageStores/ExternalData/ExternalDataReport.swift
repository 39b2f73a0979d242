/// What a store's values in files of their own are like: every reference compared with the folder.
public struct ExternalDataReport: Sendable, Hashable, Codable {
  /// A value that cannot be found.
  public struct Reference: Sendable, Hashable, Codable {
    /// The entity of the object that has the value.
    public var entity: String
    /// That object's key.
    public var key: Int64
    /// The attribute.
    public var attribute: String
    /// The file's name; `nil` for a reference that names none.
    public var file: String?
  }

  /// Values that are references to files.
  public var references: Int64 = 0
  /// References to files that are not there, or are no regular files.
  public var missing: Int64 = 0
  /// References that name no file.
  public var malformed: Int64 = 0
  /// Missing and malformed references by the attribute, `Entity.attribute`, for those that have any.
  public var missingByAttribute: [String: Int64] = [:]
  /// Values that neither are in the column after a marker nor are references.
  public var unknown: Int64 = 0
  /// Files that no reference leads to.
  public var orphans: Int64 = 0
  /// Files that a reference leads to.
  public var files: Int64 = 0
  /// The bytes of all files of the folder.
  public var bytes: Int64 = 0
  /// The first missing and malformed references, in the order of entities and keys.
  public var firstMissing: [Reference] = []
  /// The names of the first orphans, in order.
  public var firstOrphans: [String] = []

  /// The report of a store without values in files of their own.
  public init() {}

  /// Whether every reference leads to a file.
  public var isComplete: Bool { missing == 0 && malformed == 0 }
}
