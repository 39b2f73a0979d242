internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores
internal import PassageValues

/// The objects of a file with all references resolved: it assigns keys, completes both sides of
/// each relationship, and rejects every record that cannot be an object.
struct ObjectGraph {
  let model: Model
  let path: String
  let facts: [String: EntityFacts]
  /// The objects in the order of the file, including rejected ones.
  let nodes: [CacheNode]
  /// Whether objects may be quarantined. If so, links to a quarantined object are removed, or their
  /// own object is quarantined too.
  let allowsQuarantine: Bool

  /// For each node, its key, which is unique in its hierarchy.
  private(set) var keys: [Int64] = []
  /// For each node, the positions of related nodes by relationship, for both sides. Empty for
  /// rejected nodes.
  private(set) var related: [[String: [Int]]] = []
  private(set) var warnings = Diagnostics()
  /// What was meant by wrong names.
  private var similar = SimilarNames()

  private var positions: [String: [AtomicStore.Reference: Int]] = [:]
  var mistakesOfNodes: [Int: [Diagnostic]] = [:]
  private let rejectedByType: [AtomicStore.Contents.RejectedRecord]
  /// By relationship, in quotation marks, the number of objects whose links to quarantined objects
  /// were removed.
  private var emptied: [String: Int64] = [:]
  /// The same for links to objects that their list names already.
  private var repeated: [String: Int64] = [:]
  /// The locations of the records that the type rejected, by root entity.
  private var rejectedPlaces: [String: [AtomicStore.Reference: SourceLocation]] = [:]

  init(
    _ contents: AtomicStore.Contents, model: Model, path: String, allowsQuarantine: Bool = false
  ) {
    self.model = model
    self.path = path
    self.allowsQuarantine = allowsQuarantine
    facts = EntityFacts.all(model)
    nodes = contents.nodes
    rejectedByType = contents.rejected
    warnings = contents.warnings
    for record in contents.rejected {
      guard let identifier = record.identifier,
        let root = facts[identifier.entityName]?.rootName
      else { continue }
      rejectedPlaces[root, default: [:]][identifier.reference] =
        record.mistakes.first?.location ?? SourceLocation(file: path)
    }
    register()
    giveKeys()
    follow()
    for (link, count) in repeated.sorted(by: { $0.key < $1.key }) {
      warnings.append(RecordMistake.repeatedLinks(count, link, path: path))
    }
    for (link, count) in emptied.sorted(by: { $0.key < $1.key }) {
      warnings.append(RecordMistake.emptied(count, link, path: path))
    }
  }

  func isRejected(_ node: Int) -> Bool { mistakesOfNodes[node] != nil }

  /// The rejected records, in the order of the file as far as it is known.
  var rejected: [AtomicStore.Contents.RejectedRecord] {
    let own = mistakesOfNodes.keys.sorted().map {
      AtomicStore.Contents.RejectedRecord(
        entityName: nodes[$0].identifier.entityName, mistakes: mistakesOfNodes[$0] ?? [])
    }
    return (rejectedByType + own).sorted {
      let (a, b) = ($0.mistakes.first?.location, $1.mistakes.first?.location)
      return (a?.line ?? 0, a?.column ?? 0) < (b?.line ?? 0, b?.column ?? 0)
    }
  }

  /// All mistakes; the first hundred in full.
  var mistakes: Diagnostics { RecordMistake.listed(rejected.flatMap(\.mistakes), path: path) }

  /// The objects that were not rejected, with the links of both sides.
  var completedNodes: [CacheNode] {
    nodes.indices.filter { !isRejected($0) }.map { index in
      var node = nodes[index]
      node.links = related[index].mapValues { targets in
        CacheNode.Link(targets.map { nodes[$0].identifier.reference })
      }
      return node
    }
  }

  // MARK: Objects

  private mutating func register() {
    for (index, node) in nodes.enumerated() {
      let identifier = node.identifier
      guard let facts = facts[identifier.entityName] else {
        reject(
          index,
          RecordMistake.unknownEntity(
            identifier.entityName, model, &similar, at: node.location))
        continue
      }
      if facts.entity.isAbstract {
        reject(index, RecordMistake.abstractEntity(identifier.entityName, at: node.location))
      }
      if let other = positions[facts.rootName]?[identifier.reference] {
        reject(
          index,
          RecordMistake.repeatedIdentifier(
            of: identifier.entityName, at: node.location, other: nodes[other].location))
      } else {
        positions[facts.rootName, default: [:]][identifier.reference] = index
      }
      for name in node.values.keys.sorted() where facts.attributes[name] == nil {
        reject(
          index, RecordMistake.unknownProperty(name, of: facts, &similar, at: node.location))
      }
      for name in facts.requiredAttributes where node.values[name, default: .null].isNull {
        reject(
          index, RecordMistake.missingValue(name, of: identifier.entityName, at: node.location))
      }
    }
  }

  mutating func reject(_ node: Int, _ mistake: Diagnostic) {
    mistakesOfNodes[node, default: []].append(mistake)
  }

  /// Assigns keys. Positive numbers are kept. In a hierarchy with any other reference objects, the
  /// objects are numbered in the order of their reference objects.
  private mutating func giveKeys() {
    keys = Array(repeating: 0, count: nodes.count)
    for (root, found) in positions.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    ) {
      if found.keys.allSatisfy({ $0.number != nil }) {
        for (reference, index) in found { keys[index] = reference.number ?? 0 }
        continue
      }
      var isKept = true
      for (number, pair) in found.sorted(by: { $0.key < $1.key }).enumerated() {
        keys[pair.value] = Int64(number) + 1
        isKept = isKept && nodes[pair.value].keepsIdentifier
      }
      if !isKept { warnings.append(RecordMistake.replacedIdentifiers(of: root, path: path)) }
    }
  }

  // MARK: Links

  private mutating func follow() {
    var given = nodes.indices.map { resolve($0) }
    while true {
      let before = mistakesOfNodes.count
      if allowsQuarantine { emptyLinks(&given) }
      complete(given)
      // Quarantining one object may require quarantining others.
      if !allowsQuarantine || mistakesOfNodes.count == before { return }
    }
  }

  /// Resolves the links in the file to positions of nodes.
  private mutating func resolve(_ index: Int) -> [String: [Int]] {
    let node = nodes[index]
    guard !node.links.isEmpty, let facts = facts[node.identifier.entityName] else { return [:] }
    var resolved: [String: [Int]] = [:]
    for name in node.links.keys.sorted() {
      guard let link = node.links[name] else { continue }
      let place = link.location ?? node.location
      guard let relationship = facts.relationships[name], let root = facts.targetRoots[name] else {
        reject(index, RecordMistake.unknownProperty(name, of: facts, &similar, at: place))
        continue
      }
      if !relationship.isToMany, link.references.count > 1 {
        reject(index, RecordMistake.severalTargets(of: described(name, of: index), at: place))
        continue
      }
      var targets: [Int] = []
      var seen: Set<Int> = []
      var rejected: SourceLocation?
      for reference in link.references {
        guard let target = positions[root]?[reference] else {
          if let place = rejectedPlaces[root]?[reference] {
            rejected = place
            continue
          }
          reject(index, RecordMistake.missingTarget(of: described(name, of: index), at: place))
          continue
        }
        let entity = nodes[target].identifier.entityName
        guard facts.targetFamilies[name]?.contains(entity) == true else {
          reject(
            index,
            RecordMistake.wrongTarget(
              of: described(name, of: index), entity, relationship, at: place))
          continue
        }
        if seen.insert(target).inserted {
          targets.append(target)
        } else {
          repeated[described(name, of: index), default: 0] += 1
        }
      }
      if !targets.isEmpty { resolved[name] = targets }
      guard let rejected, allowsQuarantine else { continue }
      if targets.isEmpty, !relationship.isOptional {
        rejectWithTarget(index, name, rejected)
      } else {
        emptied[described(name, of: index), default: 0] += 1
      }
    }
    return resolved
  }

  /// Rejects an object because it requires an object that was quarantined.
  private mutating func rejectWithTarget(_ index: Int, _ name: String, _ cause: SourceLocation?) {
    reject(
      index,
      RecordMistake.quarantinedTarget(
        of: described(name, of: index), at: location(of: name, of: index), cause: cause))
  }

  /// The relationship of an object as messages name it.
  private func described(_ relationship: String, of index: Int) -> String {
    "“\(nodes[index].identifier.entityName).\(relationship)”"
  }

  /// The location of a link, or else of its object.
  private func location(of relationship: String, of index: Int) -> SourceLocation? {
    nodes[index].links[relationship]?.location ?? nodes[index].location
  }

  /// The objects that lead to each object.
  private static func leading(to given: [[String: [Int]]]) -> [Int: [Int]] {
    var leading: [Int: [Int]] = [:]
    for (index, links) in given.enumerated() {
      for target in links.values.joined() { leading[target, default: []].append(index) }
    }
    return leading
  }

  /// Removes links to rejected objects. An object that requires one is rejected too, once, for the first
  /// such relationship by name.
  private mutating func emptyLinks(_ given: inout [[String: [Int]]]) {
    // Each round looks at what leads to the objects that the one before rejected.
    var looked = Array(nodes.indices)
    var leading: [Int: [Int]]?
    while !looked.isEmpty {
      var fresh: [Int] = []
      for index in looked where !isRejected(index) {
        guard let facts = facts[nodes[index].identifier.entityName] else { continue }
        let names = given[index].compactMap { name, targets in
          targets.contains { isRejected($0) } ? name : nil
        }
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
          guard let targets = given[index][name] else { continue }
          let kept = targets.filter { !isRejected($0) }
          given[index][name] = kept.isEmpty ? nil : kept
          guard kept.isEmpty, facts.relationships[name]?.isOptional == false else {
            emptied[described(name, of: index), default: 0] += 1
            continue
          }
          guard fresh.last != index else { continue }
          fresh.append(index)
          rejectWithTarget(index, name, nodes[targets[0]].location)
        }
      }
      if fresh.isEmpty { return }
      let known = leading ?? Self.leading(to: given)
      leading = known
      looked = Set(fresh.flatMap { known[$0] ?? [] }).sorted()
    }
  }

  /// Adds the links that are only on the other side.
  private mutating func complete(_ given: [[String: [Int]]]) {
    related = given
    for index in nodes.indices where isRejected(index) { related[index] = [:] }
    var added: [Int: Set<String>] = [:]
    for index in nodes.indices where !isRejected(index) {
      guard let facts = facts[nodes[index].identifier.entityName] else { continue }
      for name in given[index].keys.sorted() {
        guard let inverse = facts.inverses[name], let targets = given[index][name] else { continue }
        for target in targets where !isRejected(target) {
          if inverse.isToMany {
            added[target, default: []].insert(inverse.name)
            related[target][inverse.name, default: []].append(index)
          } else if let owner = related[target][inverse.name]?.first {
            if owner != index { contradict(index, name, target, inverse.name) }
          } else {
            related[target][inverse.name] = [index]
          }
        }
      }
    }
    // Links from the file keep their order; links added from the other side follow, sorted by key.
    for (index, names) in added {
      for name in names {
        let listed = given[index][name] ?? []
        let known = Set(listed)
        let others = Set(related[index][name] ?? []).subtracting(known)
        related[index][name] =
          listed + others.sorted { (keys[$0], $0) < (keys[$1], $1) }
      }
    }
  }

  private mutating func contradict(_ index: Int, _ name: String, _ target: Int, _ inverse: String) {
    let other = nodes[target]
    reject(
      index,
      RecordMistake.contradiction(
        of: described(name, of: index), at: location(of: name, of: index), inverse: inverse,
        of: other.identifier.entityName, at: other.location))
  }
}
