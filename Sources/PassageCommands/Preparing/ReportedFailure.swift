internal import Passage

/// A failure about which a page was asked for.
struct ReportedFailure: Error {
  let error: MigrationError
  /// The page; `nil` when it could not be written.
  let path: String?
}
