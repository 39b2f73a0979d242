internal import PassageDiagnostics

/// How a file of delimited text or keyed records is written: what stands in the JSON file beside it,
/// `people.csv.store.json` for `people.csv`.
///
/// Every member has a default, under which a file with a header tells all by itself.
public struct TextStoreSettings: Sendable, Hashable {
  /// The types that have such settings.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case delimited
    case keyed
  }

  /// How lines end when they are written; reading takes both.
  public enum LineEnding: String, Sendable, Hashable, CaseIterable {
    case lf
    case crlf
  }

  /// Which fields of delimited text are quoted when they are written.
  public enum Quoting: String, Sendable, Hashable, CaseIterable {
    /// Those that need it.
    case minimal
    /// All that are not nil.
    case all
    /// None: the quote is a character like others, and values that would need it are refused.
    case none
  }

  public var kind: Kind
  /// `nil` for UTF-8, or what the file's byte-order mark says.
  public var encoding: TextEncoding?
  /// Whether a byte-order mark is written.
  public var writesByteOrderMark = false
  public var lineEnding = LineEnding.lf
  /// Between fields, or between keys and values: one ASCII character.
  public var separator: UInt8
  /// One ASCII character.
  public var quote = UInt8(ascii: "\"")
  public var quoting = Quoting.minimal
  /// Whether the first record names the columns.
  public var hasHeader = true
  /// The names of the columns of every entity, where there is no header.
  public var columns: [String] = []
  /// The names of an entity's own columns, where there is no header.
  public var columnsOfEntities: [String: [String]] = [:]
  /// The entity of every record, where no column names it.
  public var entityName: String?
  /// The column with the entity's name.
  public var entityColumn: String?
  /// The column or key with the identifier; an attribute of this name keeps it.
  public var identifierColumn: String?
  /// Columns and keys that are not read.
  public var ignored: [String] = []
  /// The unquoted text that means nil.
  public var nullText = ""
  /// Between the identifiers of a to-many relationship: one ASCII character.
  public var listSeparator = UInt8(ascii: " ")
  /// How values are written.
  public var style = TextStyle()

  /// The settings of a file that has none beside it.
  public init(kind: Kind) {
    self.kind = kind
    separator = kind == .delimited ? UInt8(ascii: ",") : UInt8(ascii: ":")
  }

  /// Where the settings of a file are.
  public static func path(of file: String) -> String { file + ".store.json" }
}
