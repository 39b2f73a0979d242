internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassageSQLite
internal import PassageStores

/// The values that a migration loses: counted before and after each step, reported, and refused if
/// they are not allowed to be lost.
extension MigrationRun {
  /// Counts the values that the first step does not read, if its source can be read already.
  ///
  /// - Parameter isRepeating: whether the destination may be this migration's own result.
  /// - Returns: the unread values; `nil` when the source must be staged first.
  /// - Throws: `RUN-083` when they may not be lost, `RUN-084` for a name that is not a property.
  func checkLosses(isRepeating: Bool) throws -> [UnreadValues.Item]? {
    try checkLossNames()
    guard sourceStore.type == nil, let first = steps.first else { return nil }
    let times = possiblePresents(isRepeating: isRepeating)
    unreadPresent = times.first
    let store = try sourceStore.open()
    var counts: [[UnreadValues.Item]] = []
    for now in times {
      let items = try countUnread(
        of: first, index: 0, store, sourceStore.makePageCount(options), now: now)
      counts.append(items)
      // What is not lost at each time is refused by the step itself, once the time is known.
      if refused(items.map(\.loss)).isEmpty { return counts.first }
    }
    try refuse(counts.first?.map(\.loss) ?? [])
    return counts.first
  }

  /// The values that `now()` may have for the migration, before the work that is there has been judged, without
  /// repetition: first that of the migration that the work belongs to, which is most often continued.
  private func possiblePresents(isRepeating: Bool) -> [Double] {
    let own = (repeatedPresent(isRepeating) ?? present).seconds
    guard isCountTimed, options.present == nil, options.unfinishedWork == .continue,
      let found = try? workspace.identity(), found.now != own
    else { return [own] }
    return [found.now, own]
  }

  /// Whether a filter decides which values of the first step are counted: it may ask for the time.
  private var isCountTimed: Bool {
    prepared.unreadValues.first?.parts.contains { !$0.filters.isEmpty } == true
  }

  /// Forgets the counts of the first step that were made for another time than the migration's, if a filter
  /// can tell the difference: then the step counts again when it begins.
  func checkPresentOfLosses(_ now: Double) {
    guard let unreadPresent, unreadPresent != now, isCountTimed else { return }
    unread[0] = nil
  }

  /// The losses that a plan can show: with counts for the first step, and without for later steps,
  /// whose source does not exist yet.
  func plannedLosses(_ found: Preparation) -> [ValueLoss] {
    steps.indices.flatMap { index in
      (index == 0 ? found.unread?.map(\.loss) : nil)
        ?? prepared.unreadValues[index].uncounted
    }
  }

  /// The values that nothing in a step reads, counted at most once.
  ///
  /// - Parameter pages: counts in the pages of the store; `nil` when SQLite counts.
  /// - Throws: `RUN-083` when they may not be lost.
  func checkUnread(
    of step: PlannedStep, index: Int, _ store: OpenStore, pages: PageCount?, now: Double
  ) throws -> [UnreadValues.Item] {
    let items = try unread[index] ?? countUnread(of: step, index: index, store, pages, now: now)
    try refuse(items.map(\.loss))
    return items
  }

  private func countUnread(
    of step: PlannedStep, index: Int, _ store: OpenStore, _ pages: PageCount?, now: Double
  ) throws -> [UnreadValues.Item] {
    let values = prepared.unreadValues[index]
    if values.isEmpty { return [] }
    let layout = try store.layout(of: step.source)
    return try values.counted(
      store.connection, layout: layout, pages: pages,
      lanes: LaneChoice(
        isForcedToRows: options.isForcedToRows,
        comparisonObstacle: store.comparisonObstacle(layout),
        usesPages: options.usesPages),
      now: now)
  }

  /// Adds the unread values, the numbers that do not fit, the emptied links and the foreign numbers to the
  /// accounts of an assembled step.
  func judgeLosses(
    _ accounts: [MappingAccount], of step: StepRun, in store: PassStore
  ) throws -> [MappingAccount] {
    let journal = store.journal
    var accounts = try prepared.computedNumbers[step.plan.index].counted(
      in: accounts, of: step.plan, store, threadCount: step.jobs)
    for item in unread[step.plan.index] ?? [] where accounts.indices.contains(item.mappingPlan) {
      switch item.loss.reason {
      case .narrowed: accounts[item.mappingPlan].narrowed[item.loss.property] = item.loss.count
      default: accounts[item.mappingPlan].unread[item.loss.property] = item.loss.count
      }
    }
    let counts = try EmptiedLinks(
      step: step.plan, links: step.links, source: step.source, journal: journal,
      facts: step.facts
    ).counts()
    for (mappingPlan, links) in counts where accounts.indices.contains(mappingPlan) {
      accounts[mappingPlan].emptied = links
    }
    // Every other source was written by Passage, with the right numbers.
    guard step.plan.index == 0, sourceStore.type == nil else { return accounts }
    return try ForeignNumbers(
      step: step.plan, source: step.source, counted: step.facts.countedForeignNumbers
    )
    .counted(in: accounts, on: journal.connection)
  }

  /// Reports the losses of a step.
  ///
  /// - Throws: `RUN-083` when they may not be lost. Then nothing is put in place, and the work so
  ///   far is kept.
  func tellLosses(_ accounts: [MappingAccount], step index: Int) throws {
    let losses = ValueLoss.all(of: accounts, step: index + 1)
    try refuse(losses)
    warnings.append(contentsOf: LossFindings(losses: losses).warnings)
    warnings.append(contentsOf: ForeignNumbers.warnings(accounts))
  }

  private func refused(_ losses: [ValueLoss]) -> [ValueLoss] {
    losses.filter { !options.allowed.losses.allows($0) }
  }

  private func refuse(_ losses: [ValueLoss]) throws {
    let refused = refused(losses)
    if !refused.isEmpty { throw LossFindings.refusal(refused, allowed: options.allowed.losses) }
  }

  /// Refuses names that are not properties, because a misspelt name would have no effect.
  private func checkLossNames() throws {
    guard let names = options.allowed.losses.names, !names.isEmpty else { return }
    var findings = Diagnostics()
    let entities = steps.flatMap { step in
      [step.source, step.destination].flatMap { model in
        model.entities.map { entity in
          (
            name: entity.name,
            properties: model.attributes(of: entity).map(\.name)
              + model.relationships(of: entity).map(\.name)
          )
        }
      } + Self.listedObjects(in: step)
    }
    for name in names {
      let parts = AllowedLosses.parts(name)
      let isKnown = entities.contains { entity in
        guard let parts else { return false }
        return (parts.entity == "*" || parts.entity == entity.name)
          && (parts.property == "*" || entity.properties.contains(parts.property))
      }
      guard !isKnown else { continue }
      let known = Set(
        entities.flatMap { entity in entity.properties.map { "\(entity.name).\($0)" } })
      findings.append(
        Diagnostic(
          "RUN-084", "“\(name)” is not a property whose values could be lost",
          remedy: nearest(to: name, in: known.sorted()).map { "did you mean “\($0)”?" }
            ?? "name properties as Entity.property; * stands for any"))
    }
    try findings.throwing(.wrongCall)
  }

  /// The entities of which mappings list objects: links to these, and links of these, are counted as lost by
  /// the entity whose objects have the list.
  private static func listedObjects(
    in step: PlannedStep
  ) -> [(name: String, properties: [String])] {
    step.passes.flatMap(\.entityMappings).compactMap { mapping in
      guard let source = mapping.source,
        let listed = mapping.elements?.list.entityName.flatMap(step.source.entity(named:))
      else { return nil }
      let links = step.source.relationships(of: listed).map(\.name)
      return (source.name, [BoundElements.element] + links)
    }
  }
}
