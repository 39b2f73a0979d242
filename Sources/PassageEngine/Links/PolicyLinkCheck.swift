internal import PassageDiagnostics
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Checks that the objects exist that policies have related to each other, or associated with source
/// objects, by references that they may have made up.
///
/// It runs when the objects of all passes are in one store: until then, an object may still be made.
/// Objects that were quarantined are no mistake of a policy: links to them become empty.
struct PolicyLinkCheck {
  private let step: StepPlan
  private let journal: Journal
  /// The entities of the source of which objects are quarantined.
  private let quarantined: Set<String>

  private var connection: Connection { journal.connection }

  /// - Parameter journal: attached to a connection to the assembled store.
  init(step: StepPlan, journal: Journal) throws {
    self.step = step
    self.journal = journal
    quarantined = Set(
      try journal.connection.rows("SELECT DISTINCT entity FROM \(Quarantine.table)")
        .compactMap { $0[0].string })
  }

  /// All mistakes: `VAL-006` for links from or to objects that do not exist, `VAL-007` for
  /// associations with such objects.
  ///
  /// - Complexity: O(n) look-ups in the links and associations that policies have given; O(1) where
  ///   there are none.
  func findings() throws -> Diagnostics {
    var findings = Diagnostics()
    for decided in try DecidedLinks.all(in: connection) { try judge(decided, &findings) }
    for mappingPlan in step.mappingPlans where !mappingPlan.hooks.isEmpty {
      let journal = journal.of(pass: mappingPlan.passIndex)
      if try journal.namesAssociated(byPolicyOf: mappingPlan.index) {
        try judgeAssociations(of: mappingPlan, &findings)
      }
    }
    return findings
  }

  // MARK: Links

  private func judge(_ decided: DecidedLinks, _ findings: inout Diagnostics) throws {
    guard let owner = step.destinationLayout.entity(numbered: decided.entity),
      let entity = step.destination.entity(named: owner.name),
      let relationship = step.destination.relationship(decided.relationship, of: entity),
      let related = step.destinationLayout.entity(named: relationship.destinationEntityName)
    else { return }
    let what = "“\(owner.name).\(relationship.name)”"
    let remedy =
      "link only objects that are made: ask destinationInstances(forMappingNamed:sourceKey:) what "
      + "became of a source object, or find(_:key:) for a shared one"
    let ownersMissing = isMissing("l.owner", from: owner, owner.isKind("d"))
    let ofNothing = try found(
      "\(decided.decisions) AND l.position = -1 AND \(ownersMissing)", ["l.owner"])
    for found in ofNothing {
      findings.append(
        Diagnostic(
          "VAL-006",
          "the policy of “\(found.mapping)” sets \(what) of objects that do not exist: "
            + NumberText.count(found.count, "object"),
          reason: "the first keys are " + found.first.map { "\($0[0])" }.joined(separator: ", "),
          remedy: remedy))
    }
    let relatedMissing = isMissing("l.target", from: related, isOfTargetEntity(related))
    let toNothing = try found(
      "\(decided.decisions) AND l.position >= 0 AND \(relatedMissing)", ["l.owner", "l.target"])
    for found in toNothing {
      findings.append(
        Diagnostic(
          "VAL-006",
          "the policy of “\(found.mapping)” links \(what) to objects that do not exist: "
            + NumberText.count(found.count, "link"),
          reason: "the first lead "
            + found.first.map { "from key \($0[0]) to key \($0[1])" }.joined(separator: ", "),
          remedy: remedy))
    }
  }

  /// The condition that a related object's row, `d`, is of the entity that the policy has named, or
  /// of a subentity.
  private func isOfTargetEntity(_ related: EntityLayout) -> String {
    if related.isAlone { return "1" }
    let parents = step.destinationLayout.entities.filter {
      $0.hasSubentities && related.familyNumbers.contains($0.number)
    }.map { "(l.target_entity = \($0.number) AND \($0.isKind("d")))" }
    return "(\(Junction.or.joined(["d.\"Z_ENT\" = l.target_entity"] + parents)))"
  }

  // MARK: Associations

  private func judgeAssociations(
    of mappingPlan: MappingPlan, _ findings: inout Diagnostics
  ) throws {
    let table = Journal.Table.association.name
    let numbers = try connection.rows(
      "SELECT DISTINCT entity FROM \(table) WHERE mapping = ? ORDER BY 1",
      [.integer(Int64(mappingPlan.index))]
    ).compactMap { $0[0].integer }
    for number in numbers {
      guard let entity = step.destinationLayout.entity(numbered: number) else { continue }
      let areMissing = isMissing("l.destination", from: entity, entity.isKind("d"))
      let withNothing = try found(
        "\(table) AS l WHERE l.mapping = \(mappingPlan.index) AND l.entity = \(number) "
          + "AND \(areMissing)", ["l.source", "l.destination"])
      for found in withNothing {
        findings.append(
          Diagnostic(
            "VAL-007",
            "the policy of “\(found.mapping)” associates source objects with objects of "
              + "“\(entity.name)” that do not exist: "
              + NumberText.count(found.count, "association"),
            reason: "the first associate "
              + found.first.map { "key \($0[0]) with key \($0[1])" }.joined(separator: ", "),
            remedy: "associate only with objects that are made: those that insert(_:for:) or "
              + "findOrInsert(_:key:for:make:) returned, or that "
              + "destinationInstances(forMappingNamed:sourceKey:) or find(_:key:) finds"))
      }
    }
  }

  // MARK: What is missing

  /// The condition that no object of an entity has a key, and that none was quarantined that would have
  /// it.
  ///
  /// - Parameter isMeant: the condition that a row with the key, `d`, is the object.
  private func isMissing(_ key: String, from entity: EntityLayout, _ isMeant: String) -> String {
    let row =
      "SELECT 1 FROM main.\(entity.tableName.quotedIdentifier) AS d "
      + "WHERE d.\"Z_PK\" = \(key) AND \(isMeant)"
    let gone = step.mappingPlans.compactMap { mappingPlan -> String? in
      guard mappingPlan.isTraceable, let source = mappingPlan.source,
        mappingPlan.destination?.tableName == entity.tableName, quarantined.contains(source.name)
      else { return nil }
      return "\(key) NOT IN (SELECT q.source + \(mappingPlan.keyOffset) "
        + "FROM \(Quarantine.table) AS q WHERE q.entity = \(source.name.quotedLiteral))"
    }
    return Junction.and.joined(["NOT EXISTS (\(row))"] + gone)
  }

  /// What the policy of one mapping has done.
  private struct Found {
    var mapping: String
    var count: Int64
    /// The keys of the first five.
    var first: [[Int64]]
  }

  /// - Parameters:
  ///   - rows: what follows `FROM`: rows of the journal, `l`, with a condition that others can follow.
  ///   - keys: the columns with keys.
  private func found(_ rows: String, _ keys: [String]) throws -> [Found] {
    let columns = keys.joined(separator: ", ")
    return try connection.rows(
      "SELECT l.mapping, count(*) FROM \(rows) GROUP BY 1 ORDER BY 1"
    ).compactMap { row in
      guard let index = row[0].integer, let count = row[1].integer,
        let mappingPlan = step.mappingPlans.first(where: { Int64($0.index) == index })
      else { return nil }
      let first = try connection.rows(
        "SELECT \(columns) FROM \(rows) AND l.mapping = \(index) ORDER BY \(columns) LIMIT 5")
      return Found(
        mapping: mappingPlan.name, count: count, first: first.map { $0.map { $0.integer ?? 0 } })
    }
  }
}
