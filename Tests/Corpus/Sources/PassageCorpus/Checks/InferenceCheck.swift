internal import Passage

/// Infers a mapping model between the consecutive versions of every series, and lets the checker and
/// this project's JSON judge it.
struct InferenceCheck {
  let pool: ModelPool

  func run(_ report: inout Report) {
    for bundle in pool.bundles {
      let versions = pool.versions(of: bundle)
      for (older, newer) in zip(versions, versions.dropFirst()) {
        check(older.model, newer.model, "\(newer.path)", &report)
      }
    }
  }

  private func check(
    _ older: Model, _ newer: Model, _ item: String, _ report: inout Report
  ) {
    do {
      let mapping = try InferredMapping.infer(from: older, to: newer)
      let (bound, findings) = MappingChecker.check(
        mapping, source: older, destination: newer, policies: [])
      var mistakes = findings.errors.map(\.description)
      if bound?.entityMappings.count != mapping.entityMappings.count {
        mistakes.append("an entity mapping was not bound")
      }
      let text = MappingDocument.encode(mapping)
      if try MappingDocument.decode(Array(text.utf8), file: "mapping.json") != mapping {
        mistakes.append("the mapping model's JSON is read as another mapping model")
      }
      report.judge(.inferences, item, mistakes)
    } catch {
      report.fail(.inferences, item, "\(error)")
    }
  }
}
