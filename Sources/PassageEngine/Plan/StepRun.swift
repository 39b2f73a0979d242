internal import FoundationEssentials
internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// One step while it runs: the source, both layouts, every entity mapping of every pass with its
/// keys. What passes, assembly and seal share.
final class StepRun {
  let index: Int
  let source: Model
  let destination: Model
  let sourcePath: String
  let sourceMode: Connection.Mode
  /// The source's text encoding: SQLite joins only databases of one encoding, so the new store keeps
  /// it.
  let textEncoding: UInt32
  /// Where the values of the migration's source are that are in files of their own.
  let externalFolder: ExternalFolder
  let lanes: LaneChoice
  let sourceLayout: StoreLayout
  let destinationLayout: StoreLayout
  let passes: [BoundMapping]
  /// Every entity mapping of the step, in the order of passes; `jobs[n].index == n`.
  let jobs: [EntityJob]
  let keyspace: Keyspace
  let sourceCounts: ObjectCounts
  /// By source root entity, the largest key ever given out.
  let sourceLargestKeys: [String: Int64]
  let sourceMetadata: StoreMetadata
  /// The keys of each source table that has rows.
  let extents: [String: Keyspace.Extent]
  /// What `now()` gives, frozen once per migration.
  let now: Double
  let policies: PolicyRegistry
  /// The objects that are set aside.
  let quarantine: Quarantine

  private var shapes: [String: DestinationShape] = [:]
  /// The relationship mappings of which every key leads to a row of the source.
  private var soundLinks: Set<SameObjectLinks.Link> = []
  /// How each relationship mapping is carried out.
  private(set) lazy var relationshipPlan = RelationshipPlan(step: self)
  /// The relationships between objects that are made of one source object.
  private(set) lazy var sameObjectLinks = SameObjectLinks(step: self)
  /// By job, the relationships that its sweep may look up.
  private(set) lazy var sweptLinks: [[SweptLink]] = jobs.map { job in
    job.bound.relationships.compactMap { SweptLink($0, of: job, step: self) }
  }

  /// Reads what keys and counts the source has, and gives every entity mapping its keys.
  ///
  /// - Parameter counts: the objects of the source, where they were counted already.
  init(
    index: Int, passes: [BoundMapping], lanes: LaneChoice, sourcePath: String,
    sourceLayout: StoreLayout, store: OpenStore, counts: ObjectCounts? = nil,
    externalFolder: ExternalFolder, policies: PolicyRegistry, now: Double,
    quarantine: Quarantine = Quarantine(maximum: 0, already: 0)
  ) throws {
    self.index = index
    self.passes = passes
    self.lanes = lanes
    source = passes[0].source
    destination = passes[0].destination
    self.sourcePath = sourcePath
    self.sourceLayout = sourceLayout
    destinationLayout = StoreLayout(model: destination)
    sourceMode = store.mode
    textEncoding = store.header.textEncoding
    self.externalFolder = externalFolder
    sourceMetadata = store.metadata
    self.now = now
    self.policies = policies
    self.quarantine = quarantine
    sourceCounts = try counts ?? store.objectCounts(sourceLayout)
    try store.checkRowCounts(sourceLayout, ofTables: sourceLayout.joinTables.map(\.name))
    if let stranger = sourceCounts.strangers.sorted(by: { $0.key < $1.key }).first {
      throw MigrationError(
        .sourceDamaged,
        SourceDamage.strangers(count: stranger.value, table: stranger.key, path: sourcePath))
    }
    var extents: [String: Keyspace.Extent] = [:]
    var largestKeys: [String: Int64] = [:]
    let recorded = Dictionary(
      try store.primaryKeys().map { ($0.number, $0.largestKey) },
      uniquingKeysWith: { first, _ in first })
    for table in sourceLayout.tables {
      let name = table.name.quotedIdentifier
      let smallest = try store.connection.value("SELECT min(Z_PK) FROM \(name)")?.integer
      let largest = try store.connection.value("SELECT max(Z_PK) FROM \(name)")?.integer
      if let smallest, let largest {
        extents[table.name] = Keyspace.Extent(smallest: smallest, largest: largest)
      }
      let number = Int64(sourceLayout.entity(named: table.rootEntityName)?.number ?? 0)
      largestKeys[table.rootEntityName] = max(largest ?? 0, recorded[number] ?? 0)
    }
    sourceLargestKeys = largestKeys
    self.extents = extents
    var jobs: [EntityJob] = []
    for (passIndex, pass) in passes.enumerated() {
      for bound in pass.entityMappings {
        jobs.append(
          EntityJob(
            index: jobs.count, passIndex: passIndex, bound: bound,
            source: bound.source.flatMap { sourceLayout.entity(named: $0.name) },
            destination: bound.destination.flatMap { [destinationLayout] in
              destinationLayout.entity(named: $0.name)
            },
            lane: lanes.lane(of: bound),
            hooks: bound.mapping.policy.flatMap { policies[$0.name.value]?.hooks } ?? []))
      }
    }
    keyspace = try Keyspace.assign(&jobs, extents: extents)
    self.jobs = jobs
  }

  /// The entity mappings of one pass.
  func jobs(ofPass pass: Int) -> [EntityJob] { jobs.filter { $0.passIndex == pass } }

  /// The step's entity mappings that a relationship's value asks and that can make what it leads to.
  func candidates(_ relationship: BoundRelationship) -> [EntityJob] {
    let family = Set(source.family(of: relationship.pathEnd).map(\.name))
    let expected = destinationLayout.entity(
      named: relationship.relationship.destinationEntityName)?.familyNumbers
    return jobs.filter { job in
      guard let source = job.source, let made = job.destination, family.contains(source.name),
        // Whatever else becomes of a related object is nothing the relationship can lead to.
        job.isMadeByPolicy || expected?.contains(made.number) == true
      else { return false }
      return switch relationship.target {
      case .mapping(let name): job.name == name
      case .everyMapping: true
      }
    }
  }

  /// Remembers that no key of a looked-up relationship leads nowhere.
  func noteSound(_ relationship: BoundRelationship, of job: EntityJob) {
    soundLinks.insert(
      SameObjectLinks.Link(job: job.index, relationship: relationship.relationship.name))
  }

  func isSound(_ relationship: BoundRelationship, of job: EntityJob) -> Bool {
    soundLinks.contains(
      SameObjectLinks.Link(job: job.index, relationship: relationship.relationship.name))
  }

  /// A destination entity's attributes by position.
  func shape(ofEntity name: String) -> DestinationShape? {
    if let shape = shapes[name] { return shape }
    guard let entity = destination.entity(named: name) else { return nil }
    let shape = DestinationShape(entity: entity, model: destination)
    shapes[name] = shape
    return shape
  }

  /// The relationships of a job that its sweep can write by arithmetic.
  func foreignKeyRules(of job: EntityJob) -> [ForeignKeyRule] {
    job.bound.relationships.compactMap { foreignKeyRule(of: job, $0) }
      + sameObjectLinks.rules[job.index, default: []]
  }

  func foreignKeyRule(of job: EntityJob, _ relationship: BoundRelationship) -> ForeignKeyRule? {
    ForeignKeyRule(
      relationship, of: job, candidates: candidates(relationship), source: source,
      sourceLayout: sourceLayout, largestKey: { extents[$0]?.largest ?? 0 })
  }

  /// A connection of its own to the source, inside one read transaction.
  func openSource() throws -> Connection {
    let connection = try Connection(path: sourcePath, mode: sourceMode)
    try connection.execute("BEGIN")
    // The transaction takes its snapshot with its first read.
    _ = try connection.integer("SELECT count(*) FROM sqlite_master")
    return connection
  }
}

/// Which lane each entity mapping takes.
package struct LaneChoice: Sendable {
  /// Every mapping object by object: how the lanes are held against each other.
  package var isForcedToRows: Bool
  /// Whether the source keeps its text in UTF-16: SQLite then orders texts by other bytes than memory.
  package var isUTF16: Bool

  package init(isForcedToRows: Bool = false, isUTF16: Bool = false) {
    self.isForcedToRows = isForcedToRows
    self.isUTF16 = isUTF16
  }

  /// Why no part of a filter is said in SQL; `nil` where SQL gives what memory gives.
  var filterObstacle: String? {
    if isForcedToRows { return "it was asked for" }
    return isUTF16 ? Self.encodingReason : nil
  }

  private static let encodingReason = "the store keeps its text in UTF-16"

  /// The parts of a mapping's filter, and where each is carried out; empty without a filter.
  func filterParts(of bound: BoundEntityMapping) -> [FilterParts.Part] {
    guard let filter = bound.filter else { return [] }
    if lane(of: bound) == .set {
      return filter.conjuncts.map { FilterParts.Part(text: $0.text, reason: nil) }
    }
    return FilterParts(
      filter, for: .rows, obstacle: filterObstacle, translate: SetLaneSQL.tableless
    ).parts
  }

  func lane(of bound: BoundEntityMapping) -> EntityJob.Lane {
    if let policy = bound.mapping.policy {
      return .row(reason: "policy \(policy.name.value)")
    }
    if bound.source == nil { return .row(reason: "nothing is read") }
    if isForcedToRows { return .row(reason: "asked for") }
    if isUTF16, bound.filter != nil || bound.attributes.contains(where: { $0.isComputed }) {
      return .row(reason: Self.encodingReason)
    }
    return SetLaneSQL.obstacle(to: bound).map { .row(reason: $0) } ?? .set
  }
}

extension BoundAttribute {
  /// Whether its value is more than a cell or a constant.
  fileprivate var isComputed: Bool {
    [value, fallback].compactMap(\.self).contains {
      $0.copiedCell == nil && $0.constantValue == nil
    }
  }
}
