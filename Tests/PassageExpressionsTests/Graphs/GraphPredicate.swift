import PassageExpressions
import PassageModels
import TestSupport

/// Makes well-typed predicates about the objects of any model, with everything the language has for
/// collections.
struct GraphPredicate {
  let model: Model
  var random: RandomPredicate

  /// An object that names are about: the one under test, or a variable.
  struct Subject {
    var variable: String?
    var entity: Entity

    func path(_ names: [String]) -> String {
      (variable.map { ["$" + $0] } ?? []).appending(names).joined(separator: ".")
    }

    var itself: String { variable.map { "$" + $0 } ?? "SELF" }
  }

  /// The kinds of attributes that comparisons are made of.
  enum Kind: CaseIterable {
    case number, text, date

    func contains(_ type: AttributeType) -> Bool {
      switch type {
      case .integer16, .integer32, .integer64, .double, .decimal, .float: self == .number
      case .string: self == .text
      case .date: self == .date
      default: false
      }
    }
  }

  private var variables = 0

  init(model: Model, random: RandomPredicate) {
    self.model = model
    self.random = random
  }

  // MARK: Predicates

  mutating func predicate(_ subjects: [Subject], depth: Int) -> String {
    if depth > 0, random.generator.chance(35) {
      let first = predicate(subjects, depth: depth - 1)
      switch Int.random(in: 0..<3, using: &random.generator) {
      case 0: return "NOT (\(first))"
      case 1: return "(\(first)) AND (\(predicate(subjects, depth: depth - 1)))"
      default: return "(\(first)) OR (\(predicate(subjects, depth: depth - 1)))"
      }
    }
    let kind = random.generator.pick(Kind.allCases)
    let subject = random.generator.pick(subjects)
    guard depth > 0, let path = toMany(from: subject) else {
      return "\(value(kind, subjects, depth: depth)) \(sign()) \(value(kind, subjects, depth: 0))"
    }
    switch Int.random(in: 0..<12, using: &random.generator) {
    case 0, 1, 2:
      guard let leaf = leaf(kind, path.entity) else { break }
      let modifier = random.generator.pick(["ANY", "ALL", "NONE", "SOME"])
      let names = subject.path(path.names + [leaf])
      return "\(modifier) \(names) \(comparison(kind, subjects))"
    case 3, 4, 5:
      let count = random.generator.pick([".@count", "[SIZE]"])
      return "\(subquery(path, subject, subjects, depth: depth - 1))\(count) \(size())"
    case 6: return "\(subject.path(path.names)).@count \(size())"
    case 7:
      guard let leaf = leaf(kind, path.entity) else { break }
      let list = subject.path(path.names + [leaf])
      let option = kind == .text ? random.generator.pick(["", "[c]", "[cd]"]) : ""
      let element = value(kind, subjects, depth: 0)
      return random.generator.chance(50)
        ? "\(element) IN\(option) \(list)" : "\(list) CONTAINS\(option) \(element)"
    case 8:
      let other = random.generator.pick(subjects)
      guard root(other.entity) == root(path.entity) else { break }
      return "\(other.itself) IN \(subject.path(path.names))"
    case 9:
      guard let leaf = leaf(kind, path.entity) else { break }
      let operation = random.generator.pick(["UNION", "INTERSECT", "MINUS"])
      let list = "{\(constant(kind)), \(constant(kind))}"
      let set = "(\(subject.path(path.names + [leaf])) \(operation) \(list))"
      return random.generator.chance(50) ? "\(set).@count \(size())" : "\(set) == \(list)"
    case 10:
      guard let leaf = leaf(kind, path.entity) else { break }
      let union = random.generator.pick(["@unionOfObjects", "@distinctUnionOfObjects"])
      return "\(subject.path(path.names + [union, leaf])).@count \(size())"
    default:
      return
        "ANY \(subquery(path, subject, subjects, depth: depth - 1)).a0 \(comparison(.number, subjects))"
    }
    return "\(subject.path(path.names)).@count \(size())"
  }

  private mutating func subquery(
    _ path: (names: [String], entity: Entity, isOrdered: Bool), _ subject: Subject,
    _ subjects: [Subject], depth: Int
  ) -> String {
    variables += 1
    let variable = "x\(variables)"
    let inner = predicate(
      subjects + [Subject(variable: variable, entity: path.entity)], depth: depth)
    return "SUBQUERY(\(subject.path(path.names)), $\(variable), \(inner))"
  }

  private mutating func comparison(_ kind: Kind, _ subjects: [Subject]) -> String {
    if kind == .text, random.generator.chance(50) {
      let operation = random.generator.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"])
      let option = random.generator.pick(["", "[c]", "[d]", "[cd]"])
      return "\(operation)\(option) \(constant(.text))"
    }
    switch Int.random(in: 0..<5, using: &random.generator) {
    case 0: return "BETWEEN {\(constant(kind)), \(constant(kind))}"
    case 1: return "IN {\(constant(kind)), nil, \(constant(kind))}"
    case 2: return "\(random.generator.pick(["==", "!="])) nil"
    default: return "\(sign()) \(value(kind, subjects, depth: 0))"
    }
  }

  private mutating func sign() -> String {
    random.generator.pick(["==", "!=", "<", "<=", ">", ">="])
  }

  private mutating func size() -> String {
    "\(sign()) \(Int.random(in: 0...3, using: &random.generator))"
  }

  // MARK: Values

  private mutating func value(_ kind: Kind, _ subjects: [Subject], depth: Int) -> String {
    let subject = random.generator.pick(subjects)
    if depth > 0, kind == .number, random.generator.chance(40), let path = toMany(from: subject),
      let leaf = leaf(.number, path.entity)
    {
      let name = random.generator.pick(["@sum", "@avg", "@min", "@max"])
      let function = random.generator.pick(["median", "mode", "stddev", "sum", "count"])
      let plain = subject.path(path.names + [leaf])
      return random.generator.pick([
        subject.path(path.names + [name, leaf]), "\(plain).\(name)", "\(function)(\(plain))",
        "\(subject.path(path.names)).@count + \(constant(.number))",
      ])
    }
    if depth > 0, random.generator.chance(20), let path = toMany(from: subject), path.isOrdered,
      let leaf = leaf(kind, path.entity)
    {
      let index = random.generator.pick(["FIRST", "LAST", "0", "1", "7"])
      return "\(subject.path(path.names))[\(index)].\(leaf)"
    }
    if random.generator.chance(30) { return constant(kind) }
    let steps = toOne(from: subject)
    guard let leaf = leaf(kind, steps.entity) else { return constant(kind) }
    return subject.path(steps.names + [leaf])
  }

  private mutating func constant(_ kind: Kind) -> String {
    switch kind {
    case .number: random.generator.pick(RandomPredicate.numbers)
    case .text:
      ValueExpression.constant(.string(random.generator.pick(RandomPredicate.texts))).description
    case .date: "CAST(\(random.generator.pick(["0", "1", "0.5", "-1", "64", "2"])), 'NSDate')"
    }
  }

  // MARK: Paths

  private mutating func leaf(_ kind: Kind, _ entity: Entity) -> String? {
    let names = model.attributes(of: entity).filter { kind.contains($0.type) }.map(\.name)
    return names.isEmpty ? nil : random.generator.pick(names)
  }

  private mutating func toOne(from subject: Subject) -> (names: [String], entity: Entity) {
    var (names, entity): ([String], Entity) = ([], subject.entity)
    while names.count < 2, random.generator.chance(40) {
      let steps = model.relationships(of: entity).filter { !$0.isToMany }
      guard !steps.isEmpty else { break }
      let step = random.generator.pick(steps)
      guard let next = model.entity(named: step.destinationEntityName) else { break }
      names.append(step.name)
      entity = next
    }
    return (names, entity)
  }

  /// A path to many objects: to-one relationships, a to-many one, now and then one more.
  private mutating func toMany(
    from subject: Subject
  ) -> (names: [String], entity: Entity, isOrdered: Bool)? {
    var (names, entity) = toOne(from: subject)
    var isOrdered = false
    var count = 0
    repeat {
      let steps = model.relationships(of: entity).filter(\.isToMany)
      guard !steps.isEmpty else { break }
      let step = random.generator.pick(steps)
      guard let next = model.entity(named: step.destinationEntityName) else { break }
      names.append(step.name)
      entity = next
      count += 1
      isOrdered = count == 1 && step.isOrdered
    } while random.generator.chance(15)
    return count == 0 ? nil : (names, entity, isOrdered)
  }

  private func root(_ entity: Entity) -> String { model.root(of: entity).name }
}

extension [String] {
  fileprivate func appending(_ names: [String]) -> [String] { self + names }
}
