import PassageDiagnostics

extension ModelChecker {
  /// Compares recorded version hashes with those that can be computed with certainty.
  mutating func checkRecordedHashes() {
    let recorded = model.entities.filter { $0.recordedVersionHash != nil }
    guard !recorded.isEmpty else { return }
    let hashes = model.versionHashes
    for entity in recorded
    where model.hashOrigin(of: entity) == .computed
      && hashes[entity.name] != entity.recordedVersionHash
    {
      report(
        "MOD-044", "the recorded version hash of “\(entity.name)” is not that of the entity",
        at: .init(entity: entity.name, member: "versionHash"),
        reason:
          "the entity was changed after the hash was recorded, or the hash belongs to another entity",
        remedy: "remove the recorded hash, or undo the change")
    }
  }

  /// Configurations and fetch requests are preserved, and no version hash depends on them, so only their
  /// names are checked.
  mutating func checkFetchRequests() {
    func check(_ name: String?, _ what: String, _ checker: inout ModelChecker) {
      guard let name, checker.model.entity(named: name) == nil else { return }
      checker.report(
        "MOD-045", "\(what) names the entity “\(name)”, which does not exist",
        severity: .warning, at: .init(),
        remedy: checker.suggestion(for: name) { $0.entities.map(\.name) })
    }
    for configuration in model.configurations {
      // Each entity's finding repeats the name.
      let shown = configuration.name.cutToName
      for name in configuration.entityNames {
        check(name, "the configuration “\(shown)”", &self)
      }
    }
    for request in model.fetchRequestTemplates {
      check(request.entityName, "the fetch request “\(request.name.cutToName)”", &self)
    }
    for entity in model.entities {
      for property in entity.fetchedProperties {
        check(
          property.fetchRequest?.entityName,
          "the fetched property “\(entity.name).\(property.name)”", &self)
      }
    }
  }
}
