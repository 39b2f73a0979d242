internal import PassageDiagnostics
internal import PassageEngine
internal import PassageMappings

extension LostOrderRule {
  /// A policy that is passed its objects one after another, in the order of their keys.
  ///
  /// One that declares `.order` says that its result may depend on that order. One that needs
  /// everything need not have thought of it, because that is the default: a note says so.
  static func policy(of place: MappingPlace, in project: CheckedProject) -> CheckFinding? {
    guard let name = place.mapping.mapping.policy?.name,
      let policy = project.policies[name.value], policy.needs.contains(.order),
      !policy.hooks.isDisjoint(with: [.createDestinationInstances, .createRelationships])
    else { return nil }
    let needsEverything = policy.needs.count == MigrationContext.Need.allCases.count
    var found =
      needsEverything
      ? diagnostic(
        "the policy “\(name.value)” may rely on the order of its objects", at: name.location,
        reason: "it needs everything, as one that declares nothing does; the order is that of "
          + "keys, which say when objects were inserted, and nothing else",
        remedy: "declare in the policy what it needs: without .order in “static let needs”, it "
          + "relies on none")
      : diagnostic(
        "the policy “\(name.value)” relies on the order of its objects", at: name.location,
        reason: "its “needs” contain .order, which is that of keys: they say when objects were "
          + "inserted, and nothing else",
        remedy: "remove .order from “static let needs” if any order gives the same result; "
          + "otherwise name the exception, with its reason, in history.json")
    if needsEverything { found.severity = .note }
    return CheckFinding(found, about: place.places())
  }
}
