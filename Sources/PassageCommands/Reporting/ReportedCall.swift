internal import Passage
internal import PassageReports

/// What is known of a call so far, of which a page can be made at any time.
protocol PageNotes {
  /// Whether the page was refused, so that it must not be written.
  var isRefused: Bool { get }
  /// The store that a failure is about, for errors that name none.
  var failedPath: String { get }

  /// The page.
  ///
  /// - Parameter error: why the call failed; `nil` if it did not.
  func html(_ error: MigrationError?) -> String
}

/// A call about which a page is written, however it ends.
struct ReportedCall {
  /// The page; `nil` when none was asked for.
  let path: String?
  let command: String
  let console: Console

  /// Runs a command and writes the page.
  ///
  /// That a page cannot be written changes neither the result nor the exit status: a finished
  /// migration is finished. A warning on standard error says so, and the result names no page.
  ///
  /// - Parameters:
  ///   - stores: the stores that the call names.
  ///   - body: the command, which notes what the page is to show.
  /// - Throws: what `body` throws, and ``MigrationError`` when the page is refused.
  func perform(
    stores: [String?], _ body: (inout CallNotes) async throws -> CommandResult
  ) async throws -> CommandResult {
    try await perform(
      stores: stores.compactMap(\.self),
      notes: CallNotes(command: command, file: path.map { PageFile($0) }), body)
  }

  /// - Parameter notes: what is known before the command begins.
  func perform<Notes: PageNotes>(
    stores: [String], notes: Notes, _ body: (inout Notes) async throws -> CommandResult
  ) async throws -> CommandResult {
    var notes = notes
    guard let path else { return try await body(&notes) }
    let file = PageFile(path)
    try file.check(stores: stores)
    do {
      let result = try await body(&notes)
      return result.naming(report: write(notes.html(nil), to: file))
    } catch {
      if notes.isRefused { throw error }
      let failure = CommandAnswer.failure(MigrationError(error, store: notes.failedPath))
      throw ReportedFailure(error: failure, path: write(notes.html(failure), to: file))
    }
  }

  private func write(_ html: String, to file: PageFile) -> String? {
    guard let problem = file.write(html: html) else { return file.path }
    CommandContext.log?.warn(problem)
    console.printWarning(problem)
    return nil
  }
}
