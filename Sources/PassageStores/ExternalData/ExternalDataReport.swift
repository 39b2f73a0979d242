/// The state of a store's external data: every reference compared with the files of the folder.
public struct ExternalDataReport: Sendable, Hashable, Codable {
  /// A reference whose value cannot be found.
  public struct Reference: Sendable, Hashable, Codable {
    /// The entity of the object that has the value.
    public var entity: String
    /// The object's key.
    public var key: Int64
    /// The attribute.
    public var attribute: String
    /// The file's name; `nil` if the reference names no file.
    public var file: String?
  }

  /// The number of values that are references to files.
  public var references: Int64 = 0
  /// The number of references to files that do not exist or are not regular files.
  public var missing: Int64 = 0
  /// The number of references that name no file.
  public var malformed: Int64 = 0
  /// The number of missing and malformed references by attribute, `Entity.attribute`, for
  /// attributes that have any.
  public var missingByAttribute: [String: Int64] = [:]
  /// The number of values that are neither stored in the column after a marker nor references.
  public var unknown: Int64 = 0
  /// The number of files to which no reference leads.
  public var orphans: Int64 = 0
  /// The number of files to which a reference leads.
  public var files: Int64 = 0
  /// The size of all files of the folder in bytes.
  public var bytes: Int64 = 0
  /// The first missing and malformed references, in the order of entities and keys.
  public var firstMissing: [Reference] = []
  /// The names of the first orphans, sorted.
  public var firstOrphans: [String] = []

  /// Creates the report of a store without external data.
  public init() {}

  /// Whether every reference leads to a file.
  public var isComplete: Bool { missing == 0 && malformed == 0 }
}
