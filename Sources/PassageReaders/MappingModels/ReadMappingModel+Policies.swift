internal import PassageDiagnostics
internal import PassageExpressions
package import PassageMappings

extension ReadMappingModel {
  /// The policies that the migrating program must register, by name in code-unit order, each with
  /// the value functions that the mapping model calls.
  package var requiredPolicies: [PolicySignature] {
    var selectors: [String: Set<String>] = [:]
    for entity in mapping.entityMappings {
      guard let name = entity.policy?.name.value else { continue }
      var calls = PolicyCalls()
      for property in entity.attributeMappings + entity.relationshipMappings {
        guard case .expression(let text) = property.source,
          let expression = try? FormatParser.expression(text.value)
        else { continue }
        calls.collect(expression)
      }
      selectors[name, default: []].formUnion(calls.selectors)
    }
    return selectors.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { PolicySignature(name: $0.key, functionSelectors: $0.value.sorted()) }
  }
}

/// Finds the functions of `$entityPolicy` that expressions call.
private struct PolicyCalls {
  var selectors: Set<String> = []

  /// The recursion is bounded by the parser's limit of depth.
  mutating func collect(_ expression: ValueExpression) {
    switch expression {
    case .function(let target, let selector, let arguments, _):
      if case .variable("entityPolicy", _)? = target { selectors.insert(selector) }
      for part in [target].compactMap(\.self) + arguments { collect(part) }
    case .keyPath(let operand?, _, _): collect(operand)
    case .aggregate(let parts, _): for part in parts { collect(part) }
    case .conditional(_, let first, let second, _), .set(_, let first, let second, _):
      collect(first)
      collect(second)
    case .subquery(let part, _, _, _), .element(let part, _, _), .assignment(_, let part, _):
      collect(part)
    case .fetch(let request, let context, _, _):
      collect(request)
      collect(context)
    case .constant, .selfObject, .variable, .placeholder, .keyPath: break
    }
  }
}
