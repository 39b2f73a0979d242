internal import PassageSQLite
internal import PassageValues

/// SQLite's own check of a store whose pages were written without it: the last word on them.
enum PageCheck {
  /// Stores of at most so many pages are checked as a whole, with the entries of their indexes: of
  /// larger ones with several indexes, that costs more than making them.
  private static let fullyCheckedPages = 1_024

  /// - Throws: ``PagesUnsuitable`` when SQLite does not accept the pages.
  static func run(path: String, control: RunControl) throws {
    let connection = try Connection(path: path, mode: .readOnly)
    control.stopStatements(of: connection)
    let pages = try connection.integer("PRAGMA page_count")
    let check = pages <= fullyCheckedPages ? "integrity_check" : "quick_check"
    do {
      guard let found = try connection.value("PRAGMA \(check)(1)")?.string, found != "ok" else {
        return
      }
      throw PagesUnsuitable("SQLite does not accept the pages: \(found)")
    } catch let error as SQLiteError where error.isDamage {
      throw PagesUnsuitable("SQLite does not accept the pages: \(error.message)")
    }
  }
}
