/// Why a database is not read by pages, but through SQLite.
///
/// The file need not be damaged: SQLite knows forms of the format that this module leaves to it.
package enum Unsoundness: Error, Sendable, Hashable, CustomStringConvertible {
  /// The first page is not one that this module knows. The text ends “the first page …”.
  case header(String)
  /// Texts are not in UTF-8, but in the encoding of this number.
  case textEncoding(UInt32)
  /// The schema is in a format that is not known.
  case schemaFormat(UInt32)
  /// The header tells more pages than the file has.
  case pageCount(header: UInt32, file: Int64)
  /// The file does not end with a page, and nothing tells how many pages it has.
  case partialPage
  /// There are more pages than ``PageReader/largestPageCount``.
  case tooManyPages(Int64)
  /// The write-ahead log cannot be laid over the file. The text ends the sentence “the log …”.
  case log(String)
  /// Another program wrote to the log while it was read.
  case logChanged

  /// A sentence without its full stop, which begins in lower case.
  package var description: String {
    switch self {
    case .header(let problem): "the first page \(problem)"
    case .textEncoding(let number): "texts are in UTF-16 (encoding \(number))"
    case .schemaFormat(let number): "the schema is in the unknown format \(number)"
    case .pageCount(let header, let file):
      "the header claims \(header) pages, but the file has \(file)"
    case .partialPage: "the file does not end with a whole page"
    case .tooManyPages(let count): "\(count) pages are too many"
    case .log(let problem): "the log \(problem)"
    case .logChanged: "the log was written to while it was read"
    }
  }
}
