internal import PassageDiagnostics
internal import PassageEngine
internal import PassageFiles
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The files of external data that belong to a packed store.
struct PackedFiles {
  /// Which files are packed; `nil` when the store has no folder of external data.
  let choice: PackingOptions.ExternalFiles?
  /// The number of files.
  let count: Int64
  let report: ExternalDataReport?
  private let folder: StoreUnit
  private let referenced: Connection?
  private let control: RunControl
  private let findings: Diagnostics

  /// Compares the store's references with its files.
  ///
  /// - Parameters:
  ///   - store: a store with the source's contents.
  ///   - folder: the source, beside which the files are.
  /// - Throws: `STO-311` when referenced files are missing, `PAC-002` when only referenced files
  ///   are requested and no model says which those are.
  init(
    store: OpenStore, found: PackingModel, folder: StoreUnit, options: PackingOptions,
    control: RunControl
  ) throws {
    self.folder = folder
    self.control = control
    let hasFolder = (try? FileSystem.linkStatus(folder.supportPath))?.kind == .directory
    let report = try store.externalData(
      of: found.model, in: folder.externalDataPath, isCancelled: { control.shouldStop })
    try control.checkCancellation()
    self.report = report
    var findings = Diagnostics()
    if let report, !report.isComplete {
      let missing = Self.missing(report, folder, isAllowed: options.allowsMissingFiles)
      if !options.allowsMissingFiles { throw MigrationError(.sourceDamaged, missing) }
      findings.append(contentsOf: missing)
    }
    guard hasFolder, let report else {
      (choice, count, referenced, self.findings) = (nil, 0, nil, findings)
      return
    }
    let choice = options.externalFiles ?? (found.isGuessed ? .all : .referenced)
    if choice == .referenced, found.isGuessed { throw Self.unknownReferences(folder) }
    if report.orphans > 0, !found.isGuessed {
      findings.append(Self.orphans(report, folder, choice))
    }
    self.choice = choice
    self.findings = findings
    count = choice == .all ? report.files + report.orphans : report.files
    referenced =
      choice == .referenced ? try Self.names(of: store, found.model, control) : nil
  }

  /// Copies the files to the packed store's folder.
  ///
  /// - Returns: the findings about the files.
  func transfer(
    to packed: StoreUnit, files: FileSystem, temporary: String
  ) throws -> Diagnostics {
    guard choice == .all || count > 0 else { return findings }
    let isReferenced = try referenced?.prepare("SELECT 1 FROM reference WHERE name = ?")
    var transfer = ExternalTransfer(
      files: files, temporary: temporary, isLinking: false
    ) { name in
      try control.checkCancellation()
      guard let isReferenced else { return true }
      try isReferenced.bind([.text(name)])
      defer { isReferenced.reset() }
      return try isReferenced.step()
    }
    try transfer.transfer(from: folder, to: packed)
    var warnings = findings
    warnings.append(contentsOf: transfer.warnings)
    return warnings
  }

  /// The names of the referenced files, in a temporary database on disk.
  private static func names(
    of store: OpenStore, _ model: Model, _ control: RunControl
  ) throws -> Connection {
    let database = try Connection(path: "", mode: .create)
    try database.execute("CREATE TABLE reference (name TEXT PRIMARY KEY) WITHOUT ROWID; BEGIN")
    let insert = try database.prepare("INSERT OR IGNORE INTO reference (name) VALUES (?)")
    for attribute in ExternalAttribute.all(of: model, in: try store.layout(of: model)) {
      let cell = attribute.column.quotedIdentifier
      let select = try store.connection.prepare(
        "SELECT \(cell) FROM \(attribute.table.quotedIdentifier) NOT INDEXED "
          + "WHERE \(attribute.entity.isKind(nil)) AND typeof(\(cell)) = 'blob' "
          + "AND length(\(cell)) = \(ExternalValue.referenceByteCount)")
      var rows = 0
      while try select.step() {
        rows += 1
        if rows.isMultiple(of: 1_024) { try control.checkCancellation() }
        let bytes = select.value(at: 0).bytes ?? []
        guard case .file(let name) = ExternalValue(prefix: bytes, byteCount: bytes.count) else {
          continue
        }
        try insert.bind([.text(name)])
        try insert.run()
      }
    }
    try database.execute("COMMIT")
    return database
  }

  // MARK: Findings

  private static func missing(
    _ report: ExternalDataReport, _ folder: StoreUnit, isAllowed: Bool
  ) -> Diagnostics {
    Diagnostics(
      report.missingFiles(
        isRefused: !isAllowed, at: folder.path,
        remedy: isAllowed
          ? "the references are kept unchanged"
          : "copy the store again with its folder \(folder.supportPath), or continue without these "
            + "values (--missing-files keep)"))
  }

  private static func orphans(
    _ report: ExternalDataReport, _ folder: StoreUnit, _ choice: PackingOptions.ExternalFiles
  ) -> Diagnostic {
    let names = report.firstOrphans.joined(separator: ", ")
    let rest = report.orphans - Int64(report.firstOrphans.count)
    return Diagnostic(
      "PAC-003", "\(report.orphans) files of external data belong to no object",
      severity: .warning, at: SourceLocation(file: folder.externalDataPath),
      reason: names + (rest > 0 ? " and \(rest) more" : ""),
      remedy: choice == .all
        ? "they are packed too; leave them out with --files referenced"
        : "they are left out; pack them too with --files all")
  }

  private static func unknownReferences(_ folder: StoreUnit) -> MigrationError {
    MigrationError(
      .wrongCall,
      Diagnostic(
        "PAC-002", "it is not known which files of external data objects refer to",
        at: SourceLocation(file: folder.path),
        reason: "the store contains no model, and the tables do not say which values are in files",
        remedy: "name the store's model (--model PATH), or pack all files (--files all)"))
  }
}
