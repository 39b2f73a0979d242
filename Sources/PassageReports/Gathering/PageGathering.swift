internal import PassageDiagnostics
package import PassageEngine
package import PassageMappings
package import PassageModels

/// Fills a page with what a plan, a run or the mapping models alone say.
package struct PageGathering {
  /// The models, by name.
  private let models: [String: Model]
  /// In the order in which they run.
  private let mappings: [MappingModel]

  package init(models: [String: Model], mappings: [MappingModel]) {
    self.models = models
    self.mappings = mappings
  }

  /// The steps of a run, with what became of the objects.
  package func steps(of report: MigrationReport) -> [MigrationPage.Step] {
    report.steps.enumerated().map { index, step in
      let seconds =
        report.passSeconds.indices.contains(index) ? report.passSeconds[index] : [:]
      var passes: [MigrationPage.Pass] = []
      for account in step.mappings {
        if passes.last?.name != account.pass {
          passes.append(
            MigrationPage.Pass(
              name: account.pass, isInferred: step.inferred.contains(account.pass),
              seconds: seconds[account.pass], mappings: []))
        }
        passes[passes.count - 1].mappings.append(mapping(account))
      }
      return completed(
        MigrationPage.Step(source: step.source, destination: step.destination, passes: passes),
        losses: report.losses.filter { $0.step == index + 1 })
    }
  }

  /// The steps of a plan, with the objects that are there to be read.
  package func steps(of plan: MigrationPlan) -> [MigrationPage.Step] {
    plan.steps.enumerated().map { index, step in
      completed(
        MigrationPage.Step(
          source: step.source, destination: step.destination,
          passes: step.passes.map { pass in
            MigrationPage.Pass(
              name: pass.name, isInferred: pass.isInferred,
              mappings: pass.mappings.map { mapping($0, pass: pass.name) })
          }), losses: plan.losses.filter { $0.step == index + 1 })
    }
  }

  /// The steps as the mapping models name them, when nothing else is known.
  package func steps() -> [MigrationPage.Step] {
    var steps: [MigrationPage.Step] = []
    for model in mappings {
      let (source, destination) = (model.source.value, model.destination.value)
      if steps.last?.source != source || steps.last?.destination != destination {
        steps.append(MigrationPage.Step(source: source, destination: destination, passes: []))
      }
      steps[steps.count - 1].passes.append(
        MigrationPage.Pass(
          name: model.name, isInferred: model.isInferred,
          mappings: model.entityMappings.map { written in
            var mapping = MigrationPage.Mapping(
              name: written.name.value, source: written.sourceEntityName?.value,
              destination: written.destinationEntityName?.value, lane: "")
            mapping.take(written)
            return mapping
          }))
    }
    return steps.map { completed($0, losses: []) }
  }

  /// The losses of a run or a plan.
  package static func losses(_ losses: [ValueLoss]) -> [MigrationPage.Loss] {
    losses.map { loss in
      MigrationPage.Loss(
        step: loss.step, mapping: loss.mapping, entity: loss.entity, property: loss.property,
        words: words(loss.reason), count: loss.count)
    }
  }

  private static func words(_ reason: ValueLoss.Reason) -> String {
    switch reason {
    case .unread: "no mapping reads it"
    case .becameNil: "became nil although there was a value"
    case .emptied: "the objects at the other end were left behind"
    case .narrowed: "the new type cannot hold the numbers"
    }
  }

  // MARK: Mappings

  private func mapping(_ account: MappingAccount) -> MigrationPage.Mapping {
    var mapping = MigrationPage.Mapping(
      name: account.name, source: account.source, destination: account.destination,
      lane: account.lane.rawValue)
    mapping.laneReason = account.laneReason
    if let written = written(account.name, pass: account.pass) { mapping.take(written) }
    var counts = MigrationPage.Counts()
    counts.read = account.read
    counts.filtered = account.filtered
    counts.migrated = account.migrated
    counts.split = account.split
    counts.merged = account.merged
    counts.removed = account.removed
    counts.quarantined = account.quarantined
    counts.added = account.added
    mapping.counts = counts
    mapping.made = account.made.sorted { $0.key < $1.key }
      .map { MigrationPage.Made(entity: $0.key, count: $0.value) }
    return mapping
  }

  private func mapping(_ plan: MigrationPlan.Mapping, pass: String) -> MigrationPage.Mapping {
    var mapping = MigrationPage.Mapping(
      name: plan.name, source: plan.source, destination: plan.destination,
      lane: plan.lane.rawValue)
    mapping.kind = plan.kind.rawValue
    mapping.laneReason = plan.reason
    if let written = written(plan.name, pass: pass) { mapping.take(written) }
    mapping.filter = plan.filter
    mapping.policy = plan.policy
    mapping.mergeBy = plan.mergeBy
    mapping.forEach = plan.forEach
    mapping.objects = plan.objects
    return mapping
  }

  private func written(_ name: String, pass: String) -> EntityMapping? {
    mappings.first { $0.name == pass }?.entityMappings.first { $0.name.value == name }
  }

  // MARK: Steps

  /// The step with what its models say: changed properties, and entities that no mapping touches.
  private func completed(
    _ step: MigrationPage.Step, losses: [ValueLoss]
  ) -> MigrationPage.Step {
    var step = step
    for pass in step.passes.indices {
      for place in step.passes[pass].mappings.indices {
        let name = step.passes[pass].mappings[place].name
        step.passes[pass].mappings[place].lost = losses.filter { $0.mapping == name }
          .compactMap(\.count).reduce(0) { $0.addingReportingOverflow($1).partialValue }
      }
    }
    guard let source = models[step.source], let destination = models[step.destination] else {
      return step
    }
    let mappings = step.passes.flatMap(\.mappings)
    let read = Set(mappings.compactMap(\.source))
    let filled = Set(mappings.flatMap(\.destinations))
    step.unreadEntities = Self.names(of: source).filter { !read.contains($0) }
    step.unfilledEntities = Self.names(of: destination).filter { !filled.contains($0) }
    let lost = Set(losses.filter { $0.reason == .unread }.map(\.name))
    step.changes = step.passes.flatMap { pass in
      pass.mappings.compactMap { mapping in
        written(mapping.name, pass: pass.name).flatMap {
          PropertyChanges(mapping: $0, from: source, to: destination, lost: lost)?.entity
        }
      }
    }
    return step
  }

  /// The entities that have objects of their own.
  private static func names(of model: Model) -> [String] {
    model.entities.filter { !$0.isAbstract }.map(\.name)
  }
}

extension MigrationPage.Mapping {
  fileprivate mutating func take(_ written: EntityMapping) {
    kind = written.kind.rawValue
    filter = written.filter?.value
    policy = written.policy?.name.value
    mergeBy = written.merge?.value.value
    forEach = written.forEach?.value
  }
}
