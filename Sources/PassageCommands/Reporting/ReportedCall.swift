internal import Passage
internal import PassageReports

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
    guard let path else {
      var notes = CallNotes(command: command)
      return try await body(&notes)
    }
    let file = PageFile(path)
    try file.check(stores: stores.compactMap(\.self))
    var notes = CallNotes(command: command, file: file)
    do {
      let result = try await body(&notes)
      return result.naming(report: write(notes.page(nil), to: file))
    } catch {
      if notes.isRefused { throw error }
      let failure = MigrationError(error, store: notes.request?.storePath ?? "")
      throw ReportedFailure(error: failure, path: write(notes.page(failure), to: file))
    }
  }

  private func write(_ page: MigrationPage, to file: PageFile) -> String? {
    guard let problem = file.write(page) else { return file.path }
    CommandContext.log?.warn(problem)
    console.printWarning(problem)
    return nil
  }
}
