internal import PassageDiagnostics
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The source objects of a step that are quarantined instead of making the step fail.
///
/// An object that one entity mapping cannot migrate is quarantined as a whole. What other mappings
/// made of it is removed when the step is assembled, and links to it become empty. So the object
/// can be corrected in the source and migrated later, and nothing exists twice. Mappings whose objects belong
/// to no single source object are left as they are: a warning names them (`RUN-094`).
final class Quarantine {
  /// How many objects may be quarantined in the whole migration.
  let maximum: Int
  /// Objects quarantined before this step: rows that were never staged, objects of earlier steps.
  private let already: Int64
  /// The quarantined objects of this step: at most one more than are allowed.
  private var objects: Set<Item> = []

  private struct Item: Hashable {
    var entity: String
    var key: Int64
  }

  /// - Parameter already: objects quarantined before this step.
  init(maximum: Int, already: Int64) {
    self.maximum = maximum
    self.already = already
  }

  /// Whether any object may be quarantined.
  var isOpen: Bool { maximum > 0 }

  /// Counts the objects that an earlier run or pass recorded in the journal.
  ///
  /// - Parameter journal: `nil` when the step has none yet.
  /// - Throws: ``QuarantineFull`` when there are more than are allowed now.
  func noteObjects(of journal: Journal?) throws {
    let rows = try journal.map {
      try $0.connection.rows("SELECT entity, source FROM \($0.name(of: .quarantine))")
    }
    for row in rows ?? [] {
      objects.insert(Item(entity: row[0].string ?? "", key: row[1].integer ?? 0))
    }
    let count = already.saturatingAdd(Int64(objects.count))
    guard count > Int64(maximum) else { return }
    // An earlier call allowed more.
    throw QuarantineFull(maximum: maximum, last: Self.earlierCall(Int(clamping: count)))
  }

  /// Why a continued run has too many quarantined objects.
  static func earlierCall(_ count: Int) -> Diagnostic {
    Diagnostic(
      "RUN-045", "an earlier call quarantined \(count) object\(count == 1 ? "" : "s")",
      remedy: "start over (--fresh), or allow as many (--max-quarantined \(count))")
  }

  /// The journal's table of quarantined objects.
  static let table = Journal.Table.quarantine.name

  /// The object that caused the quarantine of others: those that cannot exist without it.
  struct Cause: Hashable {
    var entity: String
    var key: Int64
    var code: String
  }

  /// Quarantines an object, in the transaction of its batch.
  ///
  /// - Throws: ``QuarantineFull`` when more objects are quarantined than allowed.
  func add(
    _ reason: Diagnostic, cause: Cause? = nil, entity: String, key: Int64, mapping: String,
    to journal: Journal
  ) throws {
    try journal.connection.execute(
      "INSERT OR IGNORE INTO \(Self.table) (entity, source, pass, mapping, code, reason, "
        + "cause_entity, cause_source, cause_code) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .text(entity), .integer(key), .integer(Int64(journal.pass)), .text(mapping),
        .text(reason.code),
        .text([reason.message, reason.reason].compactMap(\.self).joined(separator: ": ")),
        cause.map { .text($0.entity) } ?? .null, cause.map { .integer($0.key) } ?? .null,
        cause.map { .text($0.code) } ?? .null,
      ])
    objects.insert(Item(entity: entity, key: key))
    if already.saturatingAdd(Int64(objects.count)) > Int64(maximum) {
      throw QuarantineFull(maximum: maximum, last: reason)
    }
  }
}

/// More objects would have to be quarantined than the caller allows.
struct QuarantineFull: Error {
  var maximum: Int
  var last: Diagnostic

  var diagnostics: Diagnostics {
    Diagnostics([
      Diagnostic(
        "RUN-043",
        "more than \(maximum) object\(maximum == 1 ? "" : "s") would have to be quarantined",
        remedy: "correct the source, or allow more (--max-quarantined COUNT)"),
      last,
    ])
  }
}

extension QuarantineFull: MigrationFailure {
  func migrationError(store path: String) -> MigrationError { MigrationError(diagnostics) }
}

/// A required attribute would be nil.
struct MissingRequired: Error {
  var attribute: String
}
