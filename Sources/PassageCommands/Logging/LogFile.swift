internal import Passage
internal import PassageFiles

/// The file of a log. Lines are appended to it; it replaces nothing.
struct LogFile {
  /// What every line of a log begins with.
  static let prefix = #"{ "time": ""#

  let path: String
  private let files = FileSystem()

  init(_ path: String) { self.path = path }

  /// Refuses a file to which lines must not be appended.
  ///
  /// - Parameter stores: the stores that the call reads and makes, as far as they are known.
  /// - Throws: ``MigrationError`` with `CMD-082`.
  func check(stores: [String]) throws(MigrationError) {
    if let reason = taken(by: stores) { throw refusal(reason) }
  }

  /// `CMD-082` for a file that belongs to a store.
  func refusal(belongingTo store: String) -> MigrationError {
    refusal("it belongs to the store \(store)")
  }

  /// `CMD-082` for the ledger of a fleet.
  var refusalOfLedger: MigrationError { refusal("it is the fleet's ledger") }

  private func refusal(_ reason: String) -> MigrationError {
    MigrationError(
      .wrongCall,
      Diagnostic(
        "CMD-082", "the log cannot be written to this file", at: SourceLocation(file: path),
        reason: reason, remedy: "name another file with --log"),
      diskState: "nothing was written")
  }

  private func taken(by stores: [String]) -> String? {
    let log = StoreUnit(path: path)
    for store in stores {
      let overlap = Result { () throws(FileSystem.Failure) in
        try StoreOverlap(writing: log, reading: StoreUnit(path: store), files: files)
      }
      if case .success(nil) = overlap { continue }
      // What cannot be looked at cannot be opened either, which is a warning.
      if case .failure = overlap, PathText.absolute(path) != PathText.absolute(store) { continue }
      return "it belongs to the store \(store)"
    }
    if let refusal = DestinationCheck(destination: log).foreignName { return refusal.reason }
    guard let status = try? FileSystem.status(path) else { return nil }
    guard status.kind == .file else { return "it is not an ordinary file" }
    guard status.bytes > 0, let start = try? FileSystem.prefix(path, count: Self.prefix.utf8.count)
    else { return nil }
    return start == Array(Self.prefix.utf8) ? nil : "the file there is not a log"
  }
}
