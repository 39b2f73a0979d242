internal import PassageDiagnostics

extension MappingChecker {
  /// Refuses every mark of a draft that is left: what it marks is a proposal that nobody has
  /// confirmed.
  mutating func refuseDrafts(in mapping: EntityMapping) {
    for mark in mapping.draftMarks {
      let what =
        mark.property.map { "“\($0)” of “\(mark.entityMapping)”" }
        ?? "the entity mapping “\(mark.entityMapping)”"
      report(
        "MAP-040", "\(what) is a draft", mark.reason.location, reason: mark.reason.value,
        remedy: "check what is proposed, change it if it is not what you mean, and remove the "
          + "member “draft”")
    }
  }
}
