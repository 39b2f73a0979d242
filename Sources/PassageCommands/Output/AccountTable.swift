internal import Passage

/// A table with the account of every entity mapping, one line each, and the totals below.
struct AccountTable {
  let lines: [String]

  init(_ steps: [MigrationReport.Step]) {
    let accounts = steps.flatMap(\.mappings)
    let totals = MigrationRecord.Counts(accounts)
    // Columns that are rarely needed are left out if they are empty.
    let shown = MigrationRecord.Counts.Columns(
      hasQuarantined: totals.quarantined > 0, hasAdded: totals.added > 0)
    var table = TextTable(
      [
        ("pass", .left), ("mapping", .left), ("lane", .left), ("read", .right),
        ("filtered", .right), ("migrated", .right), ("split", .right), ("merged", .right),
        ("removed", .right),
      ] + (shown.hasQuarantined ? [("quarantined", .right)] : [])
        + (shown.hasAdded ? [("added", .right)] : []))
    var lastPass: String?
    for account in accounts {
      table.add(
        [account.pass == lastPass ? "" : account.pass, account.name, account.lane.rawValue]
          + MigrationRecord.Counts([account]).cells(shown))
      lastPass = account.pass
    }
    if accounts.count > 1 { table.add(["all", "", ""] + totals.cells(shown)) }
    let abandoned = accounts.filter { $0.abandonedLane != nil }.map { account in
      "  lane      “\(account.name)” ran object by object: \(account.laneReason ?? "")"
    }
    lines = table.lines + abandoned
  }
}

extension MigrationRecord.Counts {
  /// The columns that are left out if they are empty.
  struct Columns {
    var hasQuarantined: Bool
    var hasAdded: Bool
  }

  func cells(_ shown: Columns) -> [String] {
    ([read, filtered, migrated, split, merged, removed]
      + (shown.hasQuarantined ? [quarantined] : []) + (shown.hasAdded ? [added] : []))
      .map { NumberText.count($0) }
  }

  /// What became of the source's objects, as members of a JSON object.
  var members: [(name: String, value: JSONText)] {
    [
      ("read", .integer(read)), ("filtered", .integer(filtered)), ("migrated", .integer(migrated)),
      ("split", .integer(split)), ("merged", .integer(merged)), ("removed", .integer(removed)),
      ("quarantined", .integer(quarantined)), ("added", .integer(added)),
    ]
  }
}

extension MigrationReport.Step {
  var json: JSONText {
    var passes: [(name: String, accounts: [MappingAccount])] = []
    for account in mappings {
      if passes.last?.name == account.pass {
        passes[passes.count - 1].accounts.append(account)
      } else {
        passes.append((account.pass, [account]))
      }
    }
    return .object([
      ("source", .string(source)), ("destination", .string(destination)),
      (
        "passes",
        .list(
          passes.map { pass in
            .object([
              ("name", .string(pass.name)), ("isInferred", .bool(inferred.contains(pass.name))),
              ("mappings", .list(pass.accounts.map(\.json))),
            ])
          })
      ),
    ])
  }
}

extension MappingAccount {
  var json: JSONText {
    let made = made.sorted { $0.key < $1.key }
      .map { (name: $0.key, value: JSONText.integer($0.value)) }
    return .object(
      [
        ("name", .string(name)), ("source", .optional(source)),
        ("destination", .optional(destination)), ("lane", .string(lane.rawValue)),
        ("laneReason", .optional(laneReason)),
        ("abandonedLane", .optional(abandonedLane?.rawValue)),
      ] + MigrationRecord.Counts([self]).members + [("made", .shortObject(made))] + lossMembers
        + [("foreignNumbers", .integer(foreignNumbers))])
  }
}
