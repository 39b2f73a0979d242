internal import PassageDiagnostics

/// The flow of objects as a graph: entities of every version in columns, the entity mappings between
/// them in columns of their own.
struct FlowGraph {
  /// A line of a box below its name.
  struct Line {
    /// What it counts; `nil` for a line without a colour.
    var fate: MigrationPage.Fate?
    var text: String
    /// The whole text, where the line shows less.
    var title: String?
  }

  /// An entity of a version, or an entity mapping.
  struct Node {
    /// From 0; entities are in even columns, mappings in odd ones.
    var column: Int
    var name: String
    var lines: [Line]
    /// Whether nothing reads its objects.
    var isLeftBehind = false

    var isMapping: Bool { !column.isMultiple(of: 2) }
  }

  /// Objects on their way from one box to another.
  struct Ribbon {
    /// Positions in ``nodes``.
    var from: Int
    var to: Int
    /// The objects by what becomes of them; one part without a fate when that is not known yet.
    var parts: [(fate: MigrationPage.Fate?, count: Int64)]

    /// The number of objects.
    var count: Int64 { parts.reduce(0) { $0.addingReportingOverflow($1.count).partialValue } }
  }

  var nodes: [Node] = []
  var ribbons: [Ribbon] = []
  /// The names of the versions.
  var versions: [String]
  /// The entity mappings that are not drawn because they carry everything over as it is, by step.
  var folded: [[MigrationPage.Mapping]] = []

  var columnCount: Int { versions.count * 2 - 1 }

  init(_ steps: [MigrationPage.Step]) {
    versions = steps.first.map { [$0.source] + steps.map(\.destination) } ?? []
    let drawn = DrawnMappings(steps)
    folded = drawn.folded
    var positions: [EntityPlace: Int] = [:]
    let counts = EntityCounts(steps)
    func entity(_ name: String, _ version: Int, in graph: inout FlowGraph) -> Int {
      let place = EntityPlace(version: version, name: name)
      if let position = positions[place] { return position }
      graph.nodes.append(
        Node(column: version * 2, name: name, lines: [Line(text: counts.text(of: place))]))
      positions[place] = graph.nodes.count - 1
      return graph.nodes.count - 1
    }
    for (index, step) in steps.enumerated() {
      for (pass, mapping) in drawn.mappings[index] {
        let box = nodes.count
        nodes.append(
          Node(column: index * 2 + 1, name: mapping.name, lines: mapping.lines(in: pass)))
        if let source = mapping.source {
          let from = entity(source, index, in: &self)
          ribbons.append(Ribbon(from: from, to: box, parts: mapping.incomingParts))
        }
        for (name, parts) in mapping.outgoingParts {
          let to = entity(name, index + 1, in: &self)
          ribbons.append(Ribbon(from: box, to: to, parts: parts))
        }
      }
      for name in step.unreadEntities {
        let position = entity(name, index, in: &self)
        nodes[position].isLeftBehind = true
        nodes[position].lines = [Line(fate: .removed, text: "no mapping reads it")]
      }
    }
  }
}

/// An entity of a version.
struct EntityPlace: Hashable {
  /// From 0.
  var version: Int
  var name: String
}

/// The number of objects of each entity, before and after each step.
struct EntityCounts {
  private var counts: [EntityPlace: Int64] = [:]

  init(_ steps: [MigrationPage.Step]) {
    for (index, step) in steps.enumerated() {
      var read: [String: Int64] = [:]
      for mapping in step.passes.flatMap(\.mappings) {
        for made in mapping.made {
          let place = EntityPlace(version: index + 1, name: made.entity)
          counts[place] = counts[place, default: 0].addingReportingOverflow(made.count).partialValue
        }
        if let source = mapping.source, let objects = mapping.counts?.read ?? mapping.objects {
          // Each mapping of the entity reads all of its objects.
          read[source] = max(read[source, default: 0], objects)
        }
      }
      for (name, count) in read {
        let place = EntityPlace(version: index, name: name)
        counts[place] = max(counts[place, default: 0], count)
      }
    }
  }

  func text(of place: EntityPlace) -> String {
    counts[place].map { NumberText.count($0, "object") } ?? "not counted yet"
  }
}
