internal import PassageDiagnostics
package import PassageModels

/// How a file of delimited text, keyed records or JSON lines is written: the contents of the JSON file beside
/// it, `people.csv.store.json` for `people.csv`.
///
/// Every member has a default, so that a file with a header needs no settings.
package struct TextStoreSettings: Sendable, Hashable {
  /// The types that have such settings.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case delimited
    case keyed
    case jsonLines = "json-lines"
  }

  /// The line endings for writing; reading accepts all.
  package enum LineEnding: String, Sendable, Hashable, CaseIterable {
    case lf
    case crlf
  }

  /// Which fields of delimited text are quoted in writing.
  package enum Quoting: String, Sendable, Hashable, CaseIterable {
    /// Only fields that need quotes.
    case minimal
    /// All fields that are not nil.
    case all
    /// No field: the quote is an ordinary character, and values that would need quotes are refused.
    case none
  }

  package var kind: Kind
  /// `nil` for UTF-8, or for the encoding that the file's byte-order mark names.
  package var encoding: TextEncoding?
  /// Whether a byte-order mark is written.
  package var writesByteOrderMark = false
  package var lineEnding = LineEnding.lf
  /// The character between fields, or between keys and values: one ASCII character.
  package var separator: UInt8
  /// The quote character: one ASCII character.
  package var quote = UInt8(ascii: "\"")
  package var quoting = Quoting.minimal
  /// Whether the first record names the columns.
  package var hasHeader = true
  /// The names of the columns of every entity, if there is no header.
  package var columns: [String] = []
  /// The names of the columns of each entity, if there is no header.
  package var columnsOfEntities: [String: [String]] = [:]
  /// The entity of every record, if no column names it.
  package var entityName: String?
  /// The column with the entity's name.
  package var entityColumn: String?
  /// The column or key with the identifier. An attribute with this name holds it.
  package var identifierColumn: String?
  /// Columns and keys that are ignored.
  package var ignored: [String] = []
  /// The unquoted text for nil.
  package var nullText = ""
  /// The character between the identifiers of a to-many relationship: one ASCII character.
  package var listSeparator = UInt8(ascii: " ")
  /// The types of attributes by entity and column, for a model that the file declares. Columns that
  /// are not named are strings.
  package var types: [String: [String: AttributeType]] = [:]
  /// How values are written.
  package var style = TextStyle()

  /// Creates the settings of a file that has none beside it.
  package init(kind: Kind) {
    self.kind = kind
    separator = kind == .keyed ? UInt8(ascii: ":") : UInt8(ascii: ",")
  }

  /// The path of the settings of a file.
  package static func path(of file: String) -> String { file + ".store.json" }
}
