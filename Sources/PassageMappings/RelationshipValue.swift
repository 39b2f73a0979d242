package import PassageExpressions

/// The possible values of a relationship's value expression: one of the manager's two functions, or
/// nil.
package enum RelationshipValue {
  /// nil: the relationship stays empty.
  case empty
  /// The destination objects of the source objects at the end of `path`, made by the named mapping
  /// or, without a name, by any mapping.
  case destinations(mapping: String?, relationship: String?, path: [String])
  /// Only `$source.path`: source objects, to which a destination object must not refer.
  case sourceObjects(path: [String])
  /// A function of the policy, which returns a value but no objects.
  case policyFunction(selector: String)
  /// One of the two functions with an argument that is not the source objects at the end of a path.
  case wrongSource(mapping: String?, relationship: String?)
  case unsupported

  package static let mappingSelector = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  package static let relationshipSelector =
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:"

  package init(_ expression: ValueExpression) {
    switch expression {
    case .constant(.null, _):
      self = .empty
    case .function(target: .variable("manager", _)?, let selector, let arguments, _):
      guard arguments.count == 2, case .constant(.string(let name), _) = arguments[0],
        [Self.mappingSelector, Self.relationshipSelector].contains(selector)
      else {
        self = .unsupported
        return
      }
      let isMapping = selector == Self.mappingSelector
      let (mapping, relationship) = isMapping ? (name, nil) : (nil, name)
      self =
        Self.sourcePath(arguments[1]).map {
          .destinations(mapping: mapping, relationship: relationship, path: $0)
        } ?? .wrongSource(mapping: mapping, relationship: relationship)
    case .function(target: .variable("entityPolicy", _)?, let selector, _, _):
      self = .policyFunction(selector: selector)
    default:
      self = Self.sourcePath(expression).map { .sourceObjects(path: $0) } ?? .unsupported
    }
  }

  /// The names of `$source.a.b`, empty for `$source`; `nil` for anything else.
  private static func sourcePath(_ expression: ValueExpression) -> [String]? {
    switch expression {
    case .variable("source", _):
      return []
    case .keyPath(.variable("source", _)?, let components, _):
      var names: [String] = []
      for component in components {
        guard case .name(let name) = component else { return nil }
        names.append(name)
      }
      return names
    case .function(target: .variable("source", _)?, selector: "valueForKey:", let arguments, _):
      guard case .constant(.string(let name), _)? = arguments.first else { return nil }
      return [name]
    default:
      return nil
    }
  }
}
