internal import PassageDiagnostics

extension RehearsalPage {
  /// Ways that failed for the same reason.
  private struct FailureGroup {
    var findings: [MigrationPage.Finding]
    /// The stores with the names of their ways.
    var places: [(store: Store, ways: [String])]
  }

  /// What went wrong, why, and what to do next, once for all ways that failed so.
  var failuresContent: Markup {
    let groups = failureGroups
    let shown = groups.prefix(Self.openFailures).map { content($0) }.joined()
    let rest = groups.dropFirst(Self.openFailures)
    guard !rest.isEmpty else { return shown }
    let count = NumberText.count(Int64(rest.count), "further failure")
    return shown
      + "<details><summary>\(count)</summary>\(rest.map { content($0) }.joined())</details>"
  }

  /// So many failures are shown without unfolding.
  private static let openFailures = 24

  private var failureGroups: [FailureGroup] {
    var groups: [FailureGroup] = []
    var positions: [[String]: Int] = [:]
    for store in stores {
      for way in store.ways where way.outcome == .failed {
        // The places of made-up stores differ, and are gone.
        let key = way.findings.flatMap { finding in
          let it = finding.diagnostic
          return [it.code, it.message, it.reason ?? "", it.remedy ?? ""]
        }
        let position = positions[key] ?? groups.count
        if position == groups.count {
          positions[key] = position
          groups.append(FailureGroup(findings: way.findings, places: []))
        }
        let last = groups[position].places.indices.last
        if let last, groups[position].places[last].store.isSame(as: store) {
          groups[position].places[last].ways.append(way.name)
        } else {
          groups[position].places.append((store, [way.name]))
        }
      }
    }
    return groups
  }

  private func content(_ group: FailureGroup) -> Markup {
    let items = group.places.map { store, ways in
      """
      <li><b>\(store.label)</b>, version “<bdi>\(store.versionName)</bdi>”: \
      \(ways.joined(separator: ", "))</li>
      """ as Markup
    }.joined()
    let place: Markup = "<ul class='reasons'>\(items)</ul>"
    return group.findings.enumerated().map { $1.markup(at: $0 == 0 ? place : nil) }.joined()
  }
}

extension RehearsalPage.Store {
  fileprivate func isSame(as other: Self) -> Bool {
    path == other.path && version == other.version
  }

  /// Its path, or that it was made up.
  var label: Markup { path.map { "<bdi>\($0)</bdi>" } ?? "made up" }
}
