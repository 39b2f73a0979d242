extension MappingAccount {
  init(
    name: String, pass: String, source: String?, destination: String?, lane: MappingPlan.Lane
  ) {
    self.init(
      name: name, pass: pass, source: source, destination: destination, lane: MigrationPlan.Lane.set
    )
    if case .row(let reason) = lane {
      self.lane = .row
      laneReason = reason
    }
  }

  /// Notes that the objects were made page by page.
  mutating func setMadeByPages() {
    lane = .page
    laneReason = nil
  }
}
