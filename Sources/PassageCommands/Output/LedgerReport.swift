internal import Passage

/// The migrations that a store's metadata records, as text and as JSON.
struct LedgerReport {
  private let ledger: MigrationLedger
  /// Whether the last step ended with the version that the store has.
  private let isCurrent: Bool
  /// When the store was put back; `nil` when it was not.
  private let restoration: RestorationRecord?

  init(_ metadata: StoreMetadata) {
    ledger = metadata.migrationLedger
    isCurrent = ledger.leads(to: metadata.versionHashes)
    restoration = metadata.restoration
  }

  // MARK: Text

  /// The lines of a report, without a heading; empty for a store without records.
  var lines: [String] {
    guard !ledger.isEmpty || ledger.isDamaged || restoration != nil else { return [] }
    var lines = ["  record"]
    if let earlier = ledger.earlier {
      lines.append(
        "    \(NumberText.count(earlier.migrations)) earlier, of \(NumberText.count(earlier.steps)) "
          + "steps, from \(MigrationRecord.timeText(earlier.firstSeconds)) to "
          + MigrationRecord.timeText(earlier.lastSeconds))
    }
    for record in ledger.migrations {
      lines.append(
        "    \(record.timeText)  Passage \(record.toolVersion), digest \(record.digest.prefix(12))")
      lines += record.steps.flatMap(Self.lines)
    }
    if ledger.isDamaged { lines.append("    part of it cannot be read") }
    if !isCurrent, !ledger.isEmpty {
      lines.append("    another program has changed the store's version since")
    }
    if let restoration {
      let place = restoration.replacedVersion.map { ", in place of version “\($0)”" } ?? ""
      lines.append(
        "    \(MigrationRecord.timeText(restoration.seconds))  put back from "
          + "\(restoration.keptName)\(place)")
    }
    return lines
  }

  private static func lines(_ step: MigrationRecord.Step) -> [String] {
    let counts = step.counts
    let rest = [
      ("filtered", counts.filtered), ("merged", counts.merged), ("removed", counts.removed),
      ("quarantined", counts.quarantined),
    ].filter { $0.1 > 0 }.map { ", \(NumberText.count($0.1)) \($0.0)" }.joined()
    let names = step.mappings.map { step.inferred.contains($0) ? "\($0) (inferred)" : $0 }
    return [
      "      “\(step.source)” to “\(step.destination)” by \(names.joined(separator: ", ")): "
        + "\(NumberText.count(counts.read)) read, \(NumberText.count(counts.made)) made\(rest)"
    ]
      + step.losses.map {
        "        \($0.entity).\($0.property): \(lost($0.values, $0.kind))"
      }
      + (step.unlistedLosses > 0
        ? ["        and \(NumberText.count(step.unlistedLosses)) more losses, which are not kept"]
        : [])
  }

  /// How many values were lost, and how.
  private static func lost(_ values: Int64, _ kind: String) -> String {
    switch ValueLoss.Reason(rawValue: kind) {
    case .unread: NumberText.count(values, "unread value")
    case .becameNil: NumberText.count(values, "value") + " became nil"
    case .emptied: NumberText.count(values, "link") + " became empty"
    case .narrowed: NumberText.count(values, "number") + " out of the new type's range"
    case nil: NumberText.count(values, "value") + " lost, “\(kind)”"
    }
  }

  // MARK: JSON

  /// The member `record` of a report; null for a store without records.
  var json: JSONText {
    guard !ledger.isEmpty || ledger.isDamaged || restoration != nil else { return .null }
    return .object([
      ("isCurrent", .bool(isCurrent)), ("isDamaged", .bool(ledger.isDamaged)),
      (
        "earlier",
        ledger.earlier.map {
          .shortObject([
            ("migrations", .integer($0.migrations)), ("steps", .integer($0.steps)),
            ("first", .string(MigrationRecord.timeText($0.firstSeconds))),
            ("last", .string(MigrationRecord.timeText($0.lastSeconds))),
          ])
        } ?? .null
      ), ("migrations", .list(ledger.migrations.map { Self.json($0) })),
      (
        "restoration",
        restoration.map {
          .shortObject([
            ("date", .string(MigrationRecord.timeText($0.seconds))),
            ("tool", .string($0.toolVersion)), ("version", .string($0.version)),
            ("replaced", .optional($0.replacedVersion)), ("kept", .string($0.keptName)),
          ])
        } ?? .null
      ),
    ])
  }

  /// One migration.
  static func json(_ record: MigrationRecord) -> JSONText {
    .object([
      ("date", .string(record.timeText)), ("tool", .string(record.toolVersion)),
      ("digest", .string(record.digest)), ("storeUUID", .string(record.storeUUID)),
      ("steps", .list(record.steps.map(json))),
    ])
  }

  private static func json(_ step: MigrationRecord.Step) -> JSONText {
    let counts = step.counts
    return .object([
      ("source", .string(step.source)), ("destination", .string(step.destination)),
      ("sourceChecksum", .string(step.sourceChecksum)),
      ("destinationChecksum", .string(step.destinationChecksum)),
      ("mappings", .strings(step.mappings)), ("inferred", .strings(step.inferred)),
      ("digest", .string(step.digest)),
      ("counts", .shortObject(counts.members + [("made", .integer(counts.made))])),
      (
        "losses",
        .list(
          step.losses.map {
            .shortObject([
              ("entity", .string($0.entity)), ("property", .string($0.property)),
              ("kind", .string($0.kind)), ("values", .integer($0.values)),
            ])
          })
      ), ("unlistedLosses", .integer(step.unlistedLosses)),
    ])
  }
}
