package import PassageDiagnostics
package import PassageModels
import PassageValues

/// Resolves the names in a tree: finds properties, infers types, converts constants to the stored
/// form of the values they meet, and reports all mistakes together.
package enum Binder {
  /// Binds a predicate.
  ///
  /// - Parameters:
  ///   - predicate: the tree.
  ///   - scope: the meaning of names.
  ///   - location: the location of the tree's text; for a text in a JSON file, its opening
  ///     quotation mark.
  /// - Throws: every mistake: `PRE-010` to `PRE-018`, `PRE-021`, `PRE-040`, `PRE-041`, `PRE-044`,
  ///   with the warnings.
  package static func predicate(
    _ predicate: ObjectPredicate, in scope: BindingScope, at location: SourceLocation? = nil
  ) throws(Diagnostics) -> BoundPredicate {
    var pass = BindingPass(scope: scope, location: location)
    let parts = conjuncts(predicate).map { tree in
      BoundPredicate.Part(tree: tree, condition: pass.settled(pass.condition(tree)))
    }
    try pass.diagnostics.throwIfErrors()
    return BoundPredicate(
      parts: parts, keyPaths: pass.keyPaths, relatedObjects: pass.relatedObjects,
      lookups: pass.neededLookups([], parts.map(\.condition)),
      registeredFunctions: pass.registeredFunctions, warnings: pass.diagnostics)
  }

  private static func conjuncts(_ predicate: ObjectPredicate) -> [ObjectPredicate] {
    if case .and(let parts) = predicate { parts.flatMap(conjuncts) } else { [predicate] }
  }

  /// Binds a value expression.
  ///
  /// - Parameters:
  ///   - expression: the tree.
  ///   - scope: the meaning of names.
  ///   - type: the type of the attribute that receives the value; `nil` for any type.
  ///   - location: the location of the tree's text, as for ``predicate(_:in:at:)``.
  /// - Throws: the errors of ``predicate(_:in:at:)``.
  package static func expression(
    _ expression: ValueExpression, in scope: BindingScope, expecting type: AttributeType? = nil,
    at location: SourceLocation? = nil
  ) throws(Diagnostics) -> BoundExpression {
    var pass = BindingPass(scope: scope, location: location)
    var operand = pass.value(expression)
    // A transformable attribute holds the bytes that its transformer made.
    let isArchive = type == .transformable && operand.type == .binary
    if let type, !isArchive { operand = pass.convert(operand, to: ValueType(type)) }
    try pass.diagnostics.throwIfErrors()
    return BoundExpression(
      node: operand.node, type: operand.type, keyPaths: pass.keyPaths,
      relatedObjects: pass.relatedObjects, lookups: pass.neededLookups([operand.node]),
      registeredFunctions: pass.registeredFunctions, warnings: pass.diagnostics)
  }
}

extension Binder {
  /// Binds a list: a collection of related objects or of values, or a single one.
  ///
  /// - Parameters:
  ///   - expression: the tree.
  ///   - condition: the list is empty unless the object under test satisfies it.
  ///   - sortKeys: values of each element, `$element`, by which it is sorted, with the locations of their
  ///     texts. They are left out where there are not several objects, or nothing of them can be read.
  ///   - scope: the meaning of names.
  ///   - location: the location of the tree's text, as for ``predicate(_:in:at:)``.
  /// - Throws: the errors of ``predicate(_:in:at:)``.
  package static func list(
    _ expression: ValueExpression, if condition: ObjectPredicate? = nil,
    sortedBy sortKeys: [Located<ValueExpression>] = [], in scope: BindingScope,
    at location: SourceLocation? = nil
  ) throws(Diagnostics) -> BoundList {
    var pass = BindingPass(scope: scope, location: location)
    let test = condition.map { pass.settled(pass.condition($0)) }
    guard var operand = pass.elements(of: expression) else {
      try pass.diagnostics.throwIfErrors()
      throw pass.diagnostics
    }
    let isToMany =
      if case .list(let nodes) = operand.collection.base { nodes.count > 1 } else { true }
    let nodes = isToMany ? pass.sortKeys(sortKeys, of: operand) : []
    try pass.diagnostics.throwIfErrors()
    if let test { operand.collection = operand.collection.filtered(test) }
    return BoundList(
      collection: operand.collection, sortKeys: nodes, type: operand.type,
      isOrdered: operand.isOrdered, isToMany: isToMany, isReadable: operand.subject != nil,
      keyPaths: pass.keyPaths, relatedObjects: pass.relatedObjects,
      lookups: pass.neededLookups([.count(operand.collection, limit: nil)] + nodes),
      registeredFunctions: pass.registeredFunctions, warnings: pass.diagnostics)
  }
}

/// A bound value, with its type and other properties.
struct Operand {
  var node: BoundNode
  var type: ValueType
  var position: SourcePosition
  /// The text of the expression, for messages.
  var text: String
  /// The object, if the value is an object whose properties can be read.
  var subject: Subject?
  /// Whether it is a value of a Float attribute: a 32-bit number.
  var isSingle = false

  var constant: Value? { node.constantValue }

  /// Whether it replaces an expression that could not be bound.
  var isMistake: Bool { type == .any && constant != nil }
}

/// What an expression means: one value or a collection.
indirect enum Meaning {
  case value(Operand)
  case collection(CollectionOperand)

  /// Whether it replaces an expression that could not be bound.
  var isMistake: Bool {
    if case .value(let operand) = self {
      operand.isMistake
    } else {
      false
    }
  }
}

/// One traversal of a tree. A mistake is recorded, and a value that fits everywhere takes its
/// place, so that the traversal continues.
struct BindingPass {
  let scope: BindingScope
  /// Where the text is that is being bound.
  var location: SourceLocation?
  /// The reason of errors that have none of their own.
  var reasonOfErrors: String?
  var diagnostics = Diagnostics()
  var keyPaths: [ResolvedKeyPath] = []
  private var known: Set<ResolvedKeyPath> = []
  var relatedObjects: [RelatedObjects] = []
  /// But for those of named objects: ``neededLookups(_:_:)``.
  var lookups: [ObjectLookup] = []
  /// Whether there are URIs of objects that the store must tell of.
  var namesObjects = false
  /// The program's own functions that were called.
  var registeredFunctions: [ValueFunction] = []
  /// The number of frames used so far: one for each collection.
  var frameCount = 0
  /// The values of the variables of SUBQUERY and of assignments.
  var variables: [String: Meaning] = [:]
  /// The collection whose elements' properties are being looked up.
  var mappedText: String?
  /// Whether the comparison being bound is one of several made from the elements of a list.
  var isListExpanded = false
  /// The comparison being bound, as it is written.
  var compared: Comparison?
  /// Whether it is tried what a remedy would propose.
  var isTrial = false
  /// The number of nodes that have replaced variables.
  var replacedNodes = 0
  /// The nesting depth of comparisons of whole collections.
  var collectionComparisons = 0

  init(scope: BindingScope, location: SourceLocation?) {
    self.scope = scope
    self.location = location
  }

  mutating func read(_ path: ResolvedKeyPath) {
    if known.insert(path).inserted { keyPaths.append(path) }
  }

  mutating func report(
    _ code: String, _ message: String, at position: SourcePosition,
    severity: Diagnostic.Severity = .error, reason: String? = nil, remedy: String? = nil
  ) {
    let place = position.offset.flatMap { location?.advanced(by: $0 + 1) } ?? location
    let reason = reason ?? (severity == .error ? reasonOfErrors : nil)
    diagnostics.append(
      Diagnostic(
        code, message, severity: severity, at: place, reason: reason, remedy: remedy))
  }

  /// Records a mistake and returns a value that fits everywhere.
  mutating func fail(
    _ code: String, _ message: String, at position: SourcePosition, text: String = "",
    reason: String? = nil, remedy: String? = nil
  ) -> Operand {
    report(code, message, at: position, reason: reason, remedy: remedy)
    return Operand(node: .constant(.null), type: .any, position: position, text: text)
  }

  mutating func unsupported(
    _ what: String, _ expression: ValueExpression, remedy: String? = nil
  ) -> Operand {
    fail(
      ExpressionCode.unsupported, "\(what) is not supported", at: expression.position,
      text: expression.description,
      reason: "“\(expression)” can be parsed, but cannot be evaluated yet",
      remedy: remedy ?? "compute the value in a policy")
  }
}
