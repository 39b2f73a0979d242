package import PassageDiagnostics
internal import PassageStores

extension LedgerEntry {
  /// Reads a line of a ledger. Members that are not known are ignored, so that a ledger of a later
  /// version can be read.
  ///
  /// - Parameters:
  ///   - line: the line without its end.
  ///   - file: the file name used in locations.
  /// - Throws: what is wrong with it, as `FLT-011`; places are those in the line.
  package init(reading line: some Sequence<UInt8>, file: String) throws(Diagnostic) {
    let node: JSONNode
    do throws(Diagnostic) {
      node = try JSONParser.parse(Array(line), file: file)
    } catch {
      throw Self.wrong(error.message, file)
    }
    guard case .object(let list) = node.kind else { throw Self.wrong("it is no object", file) }
    let members = Dictionary(list.map { ($0.name, $0.value.kind) }, uniquingKeysWith: { $1 })
    guard case .string(let store)? = members["store"], !store.isEmpty else {
      throw Self.wrong("it names no store", file)
    }
    guard case .string(let word)? = members["outcome"], let outcome = Outcome(rawValue: word)
    else { throw Self.wrong("its outcome is none of this version of Passage", file) }
    guard case .string(let plan)? = members["plan"] else {
      throw Self.wrong("it has no plan", file)
    }
    self.init(store: store, outcome: outcome)
    self.plan = plan
    let reader = Members(members: members)
    from = reader.text("from")
    to = reader.text("to")
    migratedFrom = reader.text("migratedFrom")
    migratedAt = reader.text("migratedAt")
    counts.migrated = reader.number("migrated")
    counts.merged = reader.number("merged")
    counts.split = reader.number("split")
    counts.filtered = reader.number("filtered")
    counts.removed = reader.number("removed")
    counts.quarantined = reader.number("quarantined")
    // Earlier versions did not write it.
    counts.added = reader.number("added")
    counts.addUp()
    losses = reader.number("losses")
    warnings = reader.number("warnings")
    bytes = reader.number("bytes")
    seconds = reader.measure("seconds")
    time = reader.text("time") ?? ""
    code = reader.text("code")
    exitClass = Int32(clamping: reader.number("class"))
    message = reader.text("message")
    remedy = reader.text("remedy")
    attempt = max(1, Int(clamping: reader.number("attempt")))
    shard = reader.text("shard")
    passage = reader.text("passage") ?? ""
  }

  static func wrong(_ reason: String, _ file: String) -> Diagnostic {
    Diagnostic(
      "FLT-011", "the file is not a ledger of a fleet", at: SourceLocation(file: file),
      reason: reason, remedy: "name another file as the ledger")
  }

  /// The members of a line; one of another type counts as missing.
  private struct Members {
    let members: [String: JSONNode.Kind]

    func text(_ name: String) -> String? {
      guard case .string(let text)? = members[name] else { return nil }
      return text
    }

    func number(_ name: String) -> Int64 {
      guard case .number(let text)? = members[name], let value = Int64(text) else { return 0 }
      return max(0, value)
    }

    func measure(_ name: String) -> Double {
      guard case .number(let text)? = members[name], let value = Double(text), value.isFinite else {
        return 0
      }
      return max(0, value)
    }
  }
}

extension MigrationRecord.Counts {
  /// Computes what was read and what was made: every object is counted once.
  fileprivate mutating func addUp() {
    func sum(_ counts: Int64...) -> Int64 { counts.reduce(0) { $0.saturatingAdd($1) } }
    read = sum(filtered, migrated, merged, removed, quarantined)
    made = sum(migrated, split, added)
  }
}
