internal import PassageValues

/// The required attributes that may be nil, as passes record them for the step.
extension Journal {
  /// Records required attributes of the pass.
  func setMissing(_ suspects: Set<MissingValues.Suspect>) throws {
    for suspect in suspects { try setState("missing:\(suspect.entity).\(suspect.attribute)", 1) }
  }

  /// The required attributes that any pass has recorded.
  func missingValues() throws -> Set<MissingValues.Suspect> {
    Set(
      try statesOfAllPasses("missing:").compactMap { state in
        let names = state.name.split(separator: ".", maxSplits: 1).map(String.init)
        guard names.count == 2 else { return nil }
        return MissingValues.Suspect(entity: names[0], attribute: names[1])
      })
  }
}
