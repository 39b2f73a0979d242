internal import PassageDiagnostics
internal import PassageMappings
internal import PassagePlanning
internal import PassageStores

/// Examines the source's companions (everything it holds besides the objects of its model) before
/// anything is written, and decides what becomes of each. Nothing is dropped silently.
struct CompanionCheck {
  /// What becomes of the companions.
  private(set) var companions = StoreCompanions()
  /// Errors, warnings and notes.
  private(set) var findings = Diagnostics()
  /// The history to carry over; `nil` when the source has none or it is left out.
  private(set) var history: HistoryTables?
  /// Whether an error is due to damaged or missing files of the store, and not to the options.
  private(set) var isDamaged = false

  private let path: String
  private let options: MigrationOptions
  private let keepsSource: Bool

  /// - Parameters:
  ///   - keepsSource: whether the source, or the store that was replaced, remains after the migration.
  ///   - externalFolder: the folder of the source's external data; `nil` if there is surely none.
  ///   - isCancelled: called now and then; once it returns true, the findings are incomplete.
  /// - Throws: ``StoreError``.
  init(
    _ store: OpenStore, steps: [PlannedStep], layout: StoreLayout, options: MigrationOptions,
    policies: PolicyRegistry, keepsSource: Bool, externalFolder: String?, isCancelled: () -> Bool
  ) throws {
    path = store.unit.path
    self.keepsSource = keepsSource
    self.options = options
    let contents = try store.unmodelledContents(layout)
    judgeTables(contents)
    if try store.hasFurtherMetadata() {
      report(
        "STO-321", "rows of Z_METADATA are left out of the new store", .warning,
        reason: "the table has more than one, and a store has one; the one with the number 1 is "
          + "read, or else the first",
        remedy: "check whether a program other than Core Data has written to the store")
    }
    for (table, count) in try store.duplicatePairs(layout) {
      report(
        "STO-322",
        "\(table) has \(count) \(count == 1 ? "row that repeats" : "rows that repeat") a pair; each pair is kept once",
        .warning,
        reason: "an object is related to another object at most once",
        remedy: "no action is needed, unless the app counts the rows of the table")
    }
    findings.append(contentsOf: Self.lostMetadata(store.metadata, options, at: path))
    try judgeHistory(store, steps: steps, policies: policies)
    guard let first = steps.first else { return }
    if let report = try store.externalData(
      of: first.source, in: externalFolder ?? store.unit.externalDataPath,
      isMissing: externalFolder == nil, isCancelled: isCancelled)
    {
      companions.externalData = report
      // A store of another type contains these values itself, so every file is read.
      let read =
        options.output.type == nil
        ? ExternalConversion.attributesRead(in: steps) : Set(report.missingByAttribute.keys)
      judge(report, read: read)
    }
    findings.append(contentsOf: ExternalUse.refusals(in: steps))
  }

  // MARK: Metadata

  /// The warning that the result has no place for what the app has added to the metadata.
  static func lostMetadata(
    _ metadata: StoreMetadata, _ options: MigrationOptions, at path: String
  ) -> Diagnostics {
    guard let name = options.output.type, let type = options.boundedStoreTypes.named(name),
      !type.holdsAppMetadata, !metadata.appMembers.isEmpty
    else { return Diagnostics() }
    return Diagnostics([
      Diagnostic(
        "STO-323", "metadata that the app added is left out", severity: .warning,
        at: SourceLocation(file: path),
        reason: "the type “\(name)” has no place for it: "
          + words(keys: metadata.appMembers.map(\.key)),
        remedy: "keep the source, or write a store in Core Data's layout or an XML store")
    ])
  }

  // MARK: Tables

  private mutating func judgeTables(_ contents: UnmodelledContents) {
    let cloudKit = contents[.cloudKit]
    if !cloudKit.isEmpty {
      let names = Self.words(cloudKit)
      if options.companions.cloudKit == .leaveOut {
        report(
          "STO-305", "the state of CloudKit mirroring is left out", .warning, reason: names,
          remedy: "the app must set the new store up for CloudKit again: everything is exported or "
            + "fetched again")
        companions.leftOut += cloudKit
      } else {
        report(
          "STO-304",
          "the store is mirrored with CloudKit, and the state of the mirroring cannot "
            + "be migrated",
          .error, reason: "\(names); these tables refer to objects by entity number and key",
          remedy: "let the app sync first, then leave the state out (--without-cloudkit): the new "
            + "store is set up for CloudKit again and syncs from the beginning")
      }
    }
    let own = contents[.appTable]
    let isEmpty = own.allSatisfy { $0.rows == 0 }
    if !isEmpty, options.companions.otherTables == .refuse {
      report(
        "STO-306", "the store has tables that Core Data did not create", .error,
        reason: "\(Self.words(own)); a migration copies only the objects of the model",
        remedy: "copy what you need from them yourself, then leave them out "
          + "(--without-other-tables)")
    }
    let others =
      (isEmpty || options.companions.otherTables == .leaveOut ? own : []) + contents[.view]
      + contents[.trigger] + contents[.index]
    if !others.isEmpty {
      report(
        "STO-307",
        "tables, views, triggers or indexes that Core Data did not create are left out of "
          + "the new store", .warning,
        reason: Self.words(others),
        remedy: "create them again in the new store if the app needs them")
      companions.leftOut += others
    }
    let former = contents[.formerTable] + contents[.formerColumn]
    if !former.isEmpty {
      report(
        "STO-308", "tables or columns of earlier versions of the model are left out", .warning,
        reason: Self.words(former),
        remedy: keepsSource
          ? "no action is needed: they are not in the store's own model, and the source keeps them"
          : "no app of the store's own version uses them, and they end with the old store: keep it (leave out "
            + "--no-backup) if another program does")
      companions.leftOut += former
    }
  }

  // MARK: History

  private mutating func judgeHistory(
    _ store: OpenStore, steps: [PlannedStep], policies: PolicyRegistry
  ) throws {
    guard let tables = try HistoryTables(store) else { return }
    let agreement = HistoryAgreement(steps: steps, policies: policies)
    let reason =
      options.companions.history == .leaveOut
      ? "it was requested" : agreement.obstacle(to: tables.changes)
    companions.history = StoreCompanions.History(
      rows: tables.rowCount, isCarriedOver: reason == nil, reason: reason)
    let rows = "\(tables.rowCount) row\(tables.rowCount == 1 ? "" : "s")"
    if let reason {
      report(
        "STO-302", "the persistent history (\(rows)) is left out of the new store", .warning,
        reason: reason,
        remedy: "let every reader of the history catch up before the migration, and discard the "
          + "tokens they keep after it")
      companions.leftOut += tables.tables.map {
        UnmodelledContents.Item(kind: .history, name: $0.name, rows: $0.rowCount)
      }
      return
    }
    history = tables
    report(
      "STO-301", "the persistent history (\(rows)) is carried over", .note,
      reason: "every entity it names keeps its number and its keys")
    let masked = agreement.staleMasks(tables.changes ?? [])
    if !masked.isEmpty {
      report(
        "STO-303", "updates in the history have masks for the old properties", .warning,
        reason: masked.map { "“\($0.entity)”: \($0.count)" }.joined(separator: ", "),
        remedy: "do not rely on the updated properties of these changes")
    }
  }

  // MARK: External data

  /// - Parameter read: the attributes whose files must be read, because a later model stores their
  ///   values in the column.
  private mutating func judge(_ external: ExternalDataReport, read: Set<String>) {
    let unreadable = external.missingByAttribute.filter { read.contains($0.key) }
    let isRefused =
      options.companions.missingFiles == .refuse
      || options.companions.missingFiles == .keep && !unreadable.isEmpty
    isDamaged = isRefused && !external.isComplete
    let why =
      options.companions.missingFiles == .keep && isRefused
      ? "; “\(unreadable.keys.sorted().joined(separator: "”, “"))” must be read" : ""
    let isDropped = options.companions.missingFiles == .drop && !read.isEmpty
    let remedy =
      isRefused
      ? "copy the store again with its folder \(StoreUnit(path: path).supportPath), or continue "
        + "without these values (--missing-files \(unreadable.isEmpty ? "keep" : "drop"))"
      : isDropped
        ? "the references are kept unchanged; values that must be read become nil"
        : "the references are kept unchanged"
    findings.append(
      contentsOf: Diagnostics(
        external.missingFiles(isRefused: isRefused, at: path, detail: why, remedy: remedy)))
    if external.unknown > 0 {
      report(
        "STO-319", "\(external.unknown) values of external storage have no marker", .warning,
        reason: "their first byte says neither that the value follows nor that it is in a file",
        remedy: "no action is needed: they are copied unchanged")
    }
  }

  private mutating func report(
    _ code: String, _ message: String, _ severity: Diagnostic.Severity, reason: String,
    remedy: String? = nil
  ) {
    findings.append(
      Diagnostic(
        code, message, severity: severity, at: SourceLocation(file: path), reason: reason,
        remedy: remedy))
  }

  // MARK: Words

  private static func words(keys: [String]) -> String {
    let rest = keys.count > 20 ? " and \(keys.count - 20) more" : ""
    return keys.prefix(20).map { "“\($0)”" }.joined(separator: ", ") + rest
  }

  private static func words(_ items: [UnmodelledContents.Item]) -> String {
    let shown = items.prefix(20).map { item in
      item.rows.map {
        "\(item.name) (\($0) \(item.kind == .formerColumn ? "value" : "row")"
          + "\($0 == 1 ? "" : "s"))"
      } ?? "\(item.kind == .appTable ? "table" : item.kind.rawValue) "
        + item.name
    }
    let rest = items.count > 20 ? " and \(items.count - 20) more" : ""
    return shown.joined(separator: ", ") + rest
  }
}
