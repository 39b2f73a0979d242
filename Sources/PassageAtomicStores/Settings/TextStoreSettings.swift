internal import PassageDiagnostics

/// How a file of delimited text or keyed records is written: what is in the JSON file beside it,
/// `people.csv.store.json` for `people.csv`.
///
/// Every member has a default, with which a file that has a header needs no settings.
package struct TextStoreSettings: Sendable, Hashable {
  /// The types that have such settings.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case delimited
    case keyed
  }

  /// How lines end when they are written; reading takes both.
  package enum LineEnding: String, Sendable, Hashable, CaseIterable {
    case lf
    case crlf
  }

  /// Which fields of delimited text are quoted when they are written.
  package enum Quoting: String, Sendable, Hashable, CaseIterable {
    /// Those that need it.
    case minimal
    /// All that are not nil.
    case all
    /// None: the quote is a character like others, and values that would need it are refused.
    case none
  }

  package var kind: Kind
  /// `nil` for UTF-8, or what the file's byte-order mark says.
  package var encoding: TextEncoding?
  /// Whether a byte-order mark is written.
  package var writesByteOrderMark = false
  package var lineEnding = LineEnding.lf
  /// Between fields, or between keys and values: one ASCII character.
  package var separator: UInt8
  /// One ASCII character.
  package var quote = UInt8(ascii: "\"")
  package var quoting = Quoting.minimal
  /// Whether the first record names the columns.
  package var hasHeader = true
  /// The names of the columns of every entity, where there is no header.
  package var columns: [String] = []
  /// The names of an entity's own columns, where there is no header.
  package var columnsOfEntities: [String: [String]] = [:]
  /// The entity of every record, where no column names it.
  package var entityName: String?
  /// The column with the entity's name.
  package var entityColumn: String?
  /// The column or key with the identifier; an attribute of this name keeps it.
  package var identifierColumn: String?
  /// Columns and keys that are not read.
  package var ignored: [String] = []
  /// The unquoted text that means nil.
  package var nullText = ""
  /// Between the identifiers of a to-many relationship: one ASCII character.
  package var listSeparator = UInt8(ascii: " ")
  /// How values are written.
  package var style = TextStyle()

  /// The settings of a file that has none beside it.
  package init(kind: Kind) {
    self.kind = kind
    separator = kind == .delimited ? UInt8(ascii: ",") : UInt8(ascii: ":")
  }

  /// Where the settings of a file are.
  package static func path(of file: String) -> String { file + ".store.json" }
}
