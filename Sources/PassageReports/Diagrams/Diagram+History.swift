internal import PassageDiagnostics
package import PassageProjects

extension Diagram {
  /// A history: its versions, and the steps between them with their mapping models.
  package init(_ history: History) {
    self.init(title: "The history of versions")
    var positions: [String: Int] = [:]
    for (index, version) in history.versions.enumerated() {
      positions[version.name.value] = index
    }
    let columns = Self.columns(history, positions)
    nodes = history.versions.enumerated().map { index, version in
      Node(
        .version, version.name.value, note: version.model.value, column: columns[index] * 2)
    }
    for step in history.steps {
      guard let from = positions[step.from.value], let to = positions[step.to.value] else {
        continue
      }
      let names = step.mappings.map(\.value)
      let rows = names.enumerated().map { Row("pass \($0 + 1)", $1) }
      nodes.append(
        Node(
          .step, "\(step.from.value) → \(step.to.value)",
          note: names.isEmpty ? "inferred" : NumberText.count(Int64(names.count), "pass", "passes"),
          rows: rows, column: min(columns[from], columns[to]) * 2 + 1))
      edges.append(Edge(.flow, from: from, to: nodes.count - 1))
      edges.append(Edge(.flow, from: nodes.count - 1, to: to))
    }
  }

  /// A version is one column after the last version from which a step of an older one leads to it.
  private static func columns(_ history: History, _ positions: [String: Int]) -> [Int] {
    var columns = history.versions.map { _ in 0 }
    var arrivals = [[Int]](repeating: [], count: columns.count)
    for step in history.steps {
      guard let from = positions[step.from.value], let to = positions[step.to.value], from < to
      else { continue }
      arrivals[to].append(from)
    }
    for index in columns.indices {
      columns[index] = arrivals[index].map { columns[$0] + 1 }.max() ?? 0
    }
    return columns
  }
}
