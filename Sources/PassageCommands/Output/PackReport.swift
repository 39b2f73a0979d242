internal import Passage

/// The result of `pack`, as text and as JSON.
struct PackReport {
  private let report: PackingReport
  private let store: String

  /// - Parameter store: the store's path as the user gave it.
  init(_ report: PackingReport, store: String) {
    self.report = report
    self.store = store
  }

  func result(command: String) -> CommandResult {
    CommandResult(text: text, json: json(command))
  }

  // MARK: Text

  private var text: OutputText {
    var lines = OutputText(report.warnings)
    lines.append(
      report.outcome == .packed
        ? "Packed \(store)" : "Unchanged: \(report.outputPath) is \(store), packed.")
    let log = report.sourceLogBytes
    let source =
      NumberText.bytes(report.sourceBytes) + (log > 0 ? " and \(NumberText.bytes(log)) of log" : "")
    lines += [
      "", "  objects   \(objects)",
      "  verified  \(NumberText.count(report.rows, "row")) of all tables, object by object",
      "  store     \(report.outputPath)",
      "  size      \(NumberText.bytes(report.packedBytes)), from \(source)",
      "  journal   \(journal)",
    ]
    if let choice = report.externalFiles {
      lines.append(
        "  files     \(NumberText.count(report.externalFileCount)) of external data, "
          + (choice == .all ? "all of them" : "those that objects refer to"))
    }
    lines += ["  source    unchanged", "  time      \(NumberText.duration(report.seconds))"]
    return lines
  }

  private var objects: String {
    let parts = report.entities.filter { $0.count > 0 }
      .map { "\(NumberText.count($0.count)) \($0.name)" }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  private var journal: String {
    report.journalMode == .wal ? "wal; its log is empty and left out" : "delete, one file"
  }

  // MARK: JSON

  private func json(_ command: String) -> JSONText {
    .object([
      ("command", .string(command)), ("outcome", .string(report.outcome.rawValue)),
      ("source", .path(store)), ("output", .path(report.outputPath)),
      ("storeUUID", .string(report.storeUUID)),
      ("journal", .string(report.journalMode == .wal ? "wal" : "delete")),
      ("sourceBytes", .integer(report.sourceBytes)),
      ("sourceLogBytes", .integer(report.sourceLogBytes)),
      ("bytes", .integer(report.packedBytes)),
      ("objects", .object(report.entities.map { ($0.name, .integer($0.count)) })),
      ("rows", .integer(report.rows)),
      ("files", .optional(report.externalFiles?.rawValue)),
      ("fileCount", .integer(report.externalFileCount)),
      ("externalData", report.externalData?.json ?? .null),
      ("warnings", .list(report.warnings.all.map(\.json))), ("seconds", .measure(report.seconds)),
    ])
  }
}
