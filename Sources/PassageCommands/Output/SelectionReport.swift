internal import Passage

/// How a selection is evaluated, as text and as JSON.
struct SelectionReport {
  private let explanation: StoreSelection.Explanation
  private let predicate: ObjectPredicate?
  private let count: Int64

  init(_ explanation: StoreSelection.Explanation, predicate: ObjectPredicate?, count: Int64) {
    self.explanation = explanation
    self.predicate = predicate
    self.count = count
  }

  var result: CommandResult { CommandResult(text: text, json: json) }

  private var tree: [String] { predicate.map { PredicateTree.lines($0) } ?? ["every object"] }

  private var text: OutputText {
    var lines = ["filter"] + tree.map { "  " + $0 } + ["in SQL", "  " + explanation.sql]
    for (index, constant) in explanation.constants.enumerated() {
      lines.append("  ?\(index + 1) = \(constant)")
    }
    lines.append("in memory")
    lines +=
      explanation.inMemory.isEmpty
      ? ["  nothing"]
      : explanation.inMemory.flatMap { ["  \($0.text)", "    because \($0.reason)"] }
    lines.append("access")
    lines += explanation.access.map { "  " + $0 }
    lines.append("index")
    lines += explanation.indexes.isEmpty ? ["  none"] : explanation.indexes.map { "  " + $0 }
    lines += ["count", "  \(count)"]
    return OutputText(lines: lines)
  }

  private var json: JSONText {
    .object([
      ("count", .integer(count)), ("filter", .optional(predicate?.description)),
      ("tree", .list(tree.map { .string($0) })), ("sql", .string(explanation.sql)),
      ("constants", .strings(explanation.constants)),
      (
        "inMemory",
        .list(
          explanation.inMemory.map {
            .shortObject([("part", .string($0.text)), ("reason", .string($0.reason))])
          })
      ), ("access", .list(explanation.access.map { .string($0) })),
      ("indexes", .strings(explanation.indexes)),
    ])
  }
}

/// A predicate as an indented tree: each word that joins conditions is on a line of its own, with
/// the conditions below it.
enum PredicateTree {
  static func lines(_ predicate: ObjectPredicate) -> [String] {
    switch predicate {
    case .and(let parts): ["AND"] + parts.flatMap(indented)
    case .or(let parts): ["OR"] + parts.flatMap(indented)
    case .not(let operand): ["NOT"] + indented(operand)
    case .truth, .comparison: [predicate.description]
    }
  }

  private static func indented(_ predicate: ObjectPredicate) -> [String] {
    lines(predicate).map { "  " + $0 }
  }
}
