import PassageDiagnostics
import PassageValues

/// Converts bound trees to closures. Everything that can be decided before the first row is decided
/// here.
struct Compiler {
  let slot: (ResolvedKeyPath) -> Int
  /// The number under which the reader provides each collection, by the collection's own number.
  let collections: [Int]
  let patterns = PatternCache()

  func computation(_ node: BoundNode) throws(Diagnostic) -> Computation {
    switch node {
    case .constant(let value): return { _, _ in value }
    case .cell(let path): return cell(path)
    case .key: return { object, _ in .integer(object.key) }
    case .now: return { _, context in Arithmetic.number(context.now) }
    case .arithmetic(let operation, let left, let right, let isReal):
      let left = try computation(left)
      let right = try computation(right)
      return {
        Arithmetic.apply(operation, try left($0, $1), try right($0, $1), isReal: isReal)
      }
    case .call(let function, let arguments): return try call(function, arguments)
    case .function(let function, let arguments): return try call(function, arguments)
    case .lookup(let lookup, let key):
      let key = try computation(key)
      return { object, context in
        let value = try key(object, context)
        return value.isNothing ? .null : try context.lookUp(lookup, value)
      }
    case .conditional(let condition, let then, let otherwise):
      let condition = try test(condition)
      let then = try computation(then)
      let otherwise = try computation(otherwise)
      return { try condition($0, $1) ? try then($0, $1) : try otherwise($0, $1) }
    case .policy(let selector, let arguments): return try policy(selector, arguments)
    case .element(let frame, let part): return element(frame, part)
    case .count(let collection, let limit): return try count(collection, limit)
    case .aggregate(let function, let collection): return try aggregate(function, collection)
    case .item(let collection, let position): return try item(collection, position)
    }
  }

  /// The same, with a check of what a policy's function returns where that is the value of the node.
  func computation(
    _ node: BoundNode, checking check: PolicyResultCheck?
  ) throws(Diagnostic) -> Computation {
    guard let check else { return try computation(node) }
    switch node {
    case .policy(let selector, let arguments):
      let result = try policy(selector, arguments)
      return { object, context in
        let value = try result(object, context)
        try check(selector, value)
        return value
      }
    case .conditional(let condition, let then, let otherwise):
      let condition = try test(condition)
      let then = try computation(then, checking: check)
      let otherwise = try computation(otherwise, checking: check)
      return { try condition($0, $1) ? try then($0, $1) : try otherwise($0, $1) }
    default: return try computation(node)
    }
  }

  private func cell(_ path: ResolvedKeyPath) -> Computation {
    let position = slot(path)
    let name = path.name
    return { object, _ in
      guard (0..<object.valueCount).contains(position) else {
        throw Diagnostic(
          ExpressionCode.missingCell, "the object has no cell \(position) for “\(name)”")
      }
      return object.value(at: position)
    }
  }

  private func call(
    _ function: BuiltInFunction, _ arguments: [BoundNode]
  ) throws(Diagnostic) -> Computation {
    switch arguments.count {
    case 1:
      let argument = try computation(arguments[0])
      return { try function.evaluate(try argument($0, $1)) }
    case 2:
      let left = try computation(arguments[0])
      let right = try computation(arguments[1])
      return { try function.evaluate(try left($0, $1), try right($0, $1)) }
    default:
      var computations: [Computation] = []
      for argument in arguments { computations.append(try computation(argument)) }
      return { [computations, patterns] object, context in
        try function.evaluate(try computations.map { try $0(object, context) }, patterns)
      }
    }
  }

  private func policy(
    _ selector: String, _ arguments: [BoundArgument]
  ) throws(Diagnostic) -> Computation {
    typealias Supply =
      @Sendable (SourceObject, EvaluationContext) throws -> PolicyArgument
    var supplies: [Supply] = []
    for argument in arguments {
      switch argument {
      case .object: supplies.append { object, _ in .object(object) }
      case .variable(let name): supplies.append { _, _ in .variable(name) }
      case .value(let node):
        let computation = try computation(node)
        supplies.append { .value(try computation($0, $1)) }
      }
    }
    return { [supplies] object, context in
      try context.callPolicy(selector, try supplies.map { try $0(object, context) })
    }
  }
}
