internal import PassageDiagnostics
internal import PassageExpressions

/// What an entity mapping's source expression fetches: every object of one entity that satisfies a
/// filter.
///
/// Xcode's compiler writes `FETCH(FUNCTION($manager,
/// "fetchRequestForSourceEntityNamed:predicateString:", "Car", "TRUEPREDICATE"), …, NO)`.
struct SourceFetch {
  static let selector = "fetchRequestForSourceEntityNamed:predicateString:"

  var entityName: String
  /// `nil` if every object is fetched.
  var filter: String?

  /// - Returns: `nil` for any other expression.
  init?(_ expression: ValueExpression) {
    guard case .fetch(let request, _, countOnly: false, _) = expression,
      case .function(target: .variable("manager", _)?, Self.selector, let arguments, _) = request,
      arguments.count == 2,
      case .constant(.string(let entityName), _) = arguments[0],
      case .constant(let predicate, _) = arguments[1]
    else { return nil }
    switch predicate {
    case .null: filter = nil
    case .string(let text): filter = text == "TRUEPREDICATE" || text.isEmpty ? nil : text
    default: return nil
    }
    self.entityName = entityName
  }

  /// The error for an entity mapping with any other source expression.
  static func unsupported(
    _ expression: ValueExpression, sourceName: String?, at place: SourceLocation
  ) -> Diagnostic {
    Diagnostic(
      "IMP-009", "the source expression of an entity mapping cannot be converted", at: place,
      reason:
        "it is \(expression), but only a fetch of “\(sourceName ?? "")” with a filter can be "
        + "converted",
      remedy: "write the filter into the entity mapping, or make the objects in a policy")
  }
}
