internal import PassageDiagnostics

extension MigrationPage.Mapping {
  typealias Parts = [(fate: MigrationPage.Fate?, count: Int64)]

  /// The objects that it reads, by what becomes of them.
  var incomingParts: Parts {
    guard let counts else { return [(nil, objects ?? 0)] }
    let parts: Parts = counts.fates.filter { $0.fate.isOfSource }.map { ($0.fate, $0.count) }
    return parts.isEmpty ? [(.migrated, 0)] : parts
  }

  /// The objects that it makes, by entity and origin.
  var outgoingParts: [(entity: String, parts: Parts)] {
    guard let counts else {
      // A policy or a list decides how many there are.
      let known = policy == nil && forEach == nil ? objects ?? 0 : 0
      return destination.map { [($0, [(nil, known)])] } ?? []
    }
    let made = made.filter { $0.count > 0 }
    guard made.count == 1, let only = made.first else {
      if made.isEmpty { return destination.map { [($0, [(.migrated, 0)])] } ?? [] }
      return made.map { ($0.entity, [(.migrated, $0.count)]) }
    }
    let origins: [MigrationPage.Fate] = [.migrated, .split, .added]
    return [(only.entity, origins.map { ($0, counts[$0]) }.filter { $0.1 > 0 })]
  }

  /// What its box says below its name.
  func lines(in pass: String) -> [FlowGraph.Line] {
    var lines = [FlowGraph.Line(text: lane.isEmpty ? pass : "\(pass) · \(lane) lane")]
    if let counts {
      lines += counts.fates.map { fate, count in
        FlowGraph.Line(
          fate: fate, text: "\(NumberText.count(count)) \(fate.rawValue)",
          title: fate == .filtered ? filter : nil)
      }
      if counts.read == 0, counts.added == 0 { lines.append(.init(text: "nothing to read")) }
    } else {
      lines.append(.init(text: objects.map { NumberText.count($0, "object") } ?? "not counted yet"))
      let marks: [(MigrationPage.Fate, String, String?)] = [
        (.filtered, "filter", filter), (.merged, "merge by", mergeBy),
        (.split, "for each", forEach), (.migrated, "policy", policy),
      ]
      lines += marks.compactMap { fate, word, text in
        text.map { .init(fate: fate, text: "\(word) \($0)", title: $0) }
      }
      if kind == "remove" { lines.append(.init(fate: .removed, text: "left behind")) }
    }
    if lost > 0 {
      lines.append(.init(fate: .lost, text: NumberText.count(lost, "value") + " lost"))
    }
    return lines
  }
}
