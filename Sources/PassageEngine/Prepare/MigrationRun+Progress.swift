internal import PassageMappings
internal import PassagePlanning
internal import PassageStores

/// How much there is to read. Of the first step it is counted before the run; later steps read what
/// the ones before make, which is known only when they have made it.
extension MigrationRun {
  /// Tells the progress that a pass begins, and what is left to read as far as it is known by now.
  ///
  /// A pass that begins again, without pages for instance, takes back what it had read.
  func tellPass(_ pass: Int, of step: StepRun) {
    let plan = step.plan
    let counts = plan.passes.indices.map { pass in
      plan.mappingPlans(ofPass: pass).reduce(Int64(0)) { sum, mappingPlan in
        let count = mappingPlan.source.map { plan.extent.counts.byEntity[$0.name, default: 0] }
        return sum.saturatingAdd(count ?? 0)
      }
    }
    let before = counts[..<pass].reduce(readBefore(step: plan.index)) { $0.saturatingAdd($1) }
    let left = counts[pass...].reduce(Int64(0)) { $0.saturatingAdd($1) }
    let later = foreseen(afterStep: plan.index, objects: plan.extent.counts.total)
    control.correct(completed: before, total: before.saturatingAdd(left).saturatingAdd(later)) {
      $0.phase = .create
      $0.step = plan.index + 1
      $0.pass = pass + 1
      $0.passCount = plan.passes.count
      $0.passName = plan.passes[pass].model.name
      $0.passCompleted = 0
      $0.passTotal = counts[pass]
    }
  }

  /// Tells the progress what the passes of a step have made, because the next step reads that.
  ///
  /// - Parameter accounts: those of the step's entity mappings.
  func tellMade(_ accounts: [MappingAccount], ofStep index: Int) {
    guard !isLast(index) else { return }
    let read = accounts.reduce(readBefore(step: index)) { $0.saturatingAdd($1.read) }
    let made = accounts.flatMap(\.made.values).reduce(Int64(0)) { $0.saturatingAdd($1) }
    control.correct(
      completed: read, total: read.saturatingAdd(foreseen(afterStep: index, objects: made)))
  }

  /// What the steps before one have read.
  private func readBefore(step index: Int) -> Int64 {
    accountsOfSteps.prefix(index).joined().reduce(0) { $0.saturatingAdd($1.read) }
  }

  /// What the passes of the steps after one will read, if every step begins with as many objects as
  /// the next one does.
  private func foreseen(afterStep index: Int, objects: Int64) -> Int64 {
    let passCount = steps.dropFirst(index + 1).reduce(0) { $0 + $1.passes.count }
    let (product, isTooLarge) = objects.multipliedReportingOverflow(by: Int64(passCount))
    return isTooLarge ? .max : product
  }
}
