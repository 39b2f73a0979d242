package import PassageExpressions

/// The possible values of a relationship's value expression: one of the manager's two functions, or
/// nil.
package enum RelationshipValue {
  /// nil: the relationship stays empty.
  case empty
  /// The destination objects of the source objects at the end of `path`, made by the named mapping
  /// or, without a name, by any mapping.
  case destinations(mapping: String?, relationship: String?, Root = .source, path: [String])
  /// The same for the source objects that an expression selects, if the condition holds.
  case selected(mapping: String?, relationship: String?, ValueExpression, if: ObjectPredicate?)
  /// The objects that the named `add` mapping makes: all, or those whose attribute has a value.
  case added(
    mapping: String, by: (attribute: String, value: ValueExpression)?, if: ObjectPredicate?)
  /// Only `$source.path`: source objects, to which a destination object must not refer.
  case sourceObjects(path: [String])
  /// A function of the policy, which returns a value but no objects.
  case policyFunction(selector: String)
  case unsupported

  /// Where the path to source objects starts.
  package enum Root: Sendable, Hashable {
    /// `$source`
    case source
    /// `$element`
    case element
  }

  package static let mappingSelector = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  package static let relationshipSelector =
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:"

  package init(_ expression: ValueExpression) {
    switch expression {
    case .constant(.null, _):
      self = .empty
    case .conditional(let condition, let then, let otherwise, _):
      self = Self.value(then, otherwise, if: condition)
    case .function(target: .variable("manager", _)?, let selector, let arguments, _):
      self = Self.destinations(selector, arguments)
    case .function(target: nil, let selector, let arguments, _):
      self = Self.added(selector, arguments) ?? .unsupported
    case .function(target: .variable("entityPolicy", _)?, let selector, _, _):
      self = .policyFunction(selector: selector)
    default:
      self = Self.path(expression).map { .sourceObjects(path: $1) } ?? .unsupported
    }
  }

  private static func destinations(_ selector: String, _ arguments: [ValueExpression]) -> Self {
    guard arguments.count == 2, case .constant(.string(let name), _) = arguments[0],
      [mappingSelector, relationshipSelector].contains(selector)
    else { return .unsupported }
    let isMapping = selector == mappingSelector
    let (mapping, relationship) = isMapping ? (name, nil) : (nil, name)
    if let (root, path) = path(arguments[1]) {
      return .destinations(mapping: mapping, relationship: relationship, root, path: path)
    }
    return .selected(mapping: mapping, relationship: relationship, arguments[1], if: nil)
  }

  /// `TERNARY(condition, value, nil)` or `TERNARY(condition, nil, value)`.
  private static func value(
    _ then: ValueExpression, _ otherwise: ValueExpression, if condition: ObjectPredicate
  ) -> Self {
    let isNegated: Bool
    let value: Self
    switch (Self(then), Self(otherwise)) {
    case (let found, .empty): (value, isNegated) = (found, false)
    case (.empty, let found): (value, isNegated) = (found, true)
    default: return .unsupported
    }
    let own = isNegated ? ObjectPredicate.not(condition) : condition
    func both(_ inner: ObjectPredicate?) -> ObjectPredicate {
      inner.map { .and([own, $0]) } ?? own
    }
    return switch value {
    case .destinations(let mapping, let relationship, let root, let path):
      .selected(
        mapping: mapping, relationship: relationship,
        path.isEmpty
          ? .variable(root.name)
          : .keyPath(.variable(root.name), path.map { .name($0) }), if: own)
    case .selected(let mapping, let relationship, let source, let inner):
      .selected(mapping: mapping, relationship: relationship, source, if: both(inner))
    case .added(let mapping, let key, let inner):
      .added(mapping: mapping, by: key, if: both(inner))
    default: value
    }
  }

  /// `added("mapping")` or `added("mapping", "attribute", value)`.
  private static func added(_ selector: String, _ arguments: [ValueExpression]) -> Self? {
    guard selector == "added" || selector.hasPrefix("added:"),
      case .constant(.string(let mapping), _)? = arguments.first
    else { return nil }
    if arguments.count == 1 { return .added(mapping: mapping, by: nil, if: nil) }
    guard arguments.count == 3, case .constant(.string(let attribute), _) = arguments[1] else {
      return nil
    }
    return .added(mapping: mapping, by: (attribute, arguments[2]), if: nil)
  }

  /// The names of `$source.a.b`, empty for `$source`; `nil` for anything else.
  static func path(_ expression: ValueExpression) -> (Root, [String])? {
    switch expression {
    case .variable(let name, _):
      return Root(name).map { ($0, []) }
    case .keyPath(.variable(let name, _)?, let components, _):
      guard let root = Root(name) else { return nil }
      var names: [String] = []
      for component in components {
        guard case .name(let name) = component else { return nil }
        names.append(name)
      }
      return (root, names)
    case .function(target: .variable("source", _)?, selector: "valueForKey:", let arguments, _):
      guard case .constant(.string(let name), _)? = arguments.first else { return nil }
      return (.source, [name])
    default:
      return nil
    }
  }
}

extension RelationshipValue {
  /// Where the objects are among which an expression selects some: `$source.a.b` of a `SUBQUERY` over it, or of
  /// an element of it; `nil` where that is not a single path.
  static func selectedPath(_ expression: ValueExpression) -> (Root, [String])? {
    switch expression {
    case .subquery(let collection, _, _, _), .element(let collection, _, _):
      selectedPath(collection)
    default: path(expression)
    }
  }
}

extension RelationshipValue.Root {
  var name: String { self == .source ? "source" : "element" }

  init?(_ name: String) {
    switch name {
    case "source": self = .source
    case "element": self = .element
    default: return nil
    }
  }
}
