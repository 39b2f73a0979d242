internal import PassageExpressions
internal import PassageModels

/// The derivation of a derived attribute in a form that can be archived.
struct ArchivedDerivation: Sendable {
  private let value: ValueExpression
  private let condition: ObjectPredicate?

  /// - Returns: `nil` for an attribute whose derivation is not understood.
  init?(_ attribute: Attribute) {
    guard let expression = attribute.derivation, let text = DerivationText(expression),
      text.keyPath.isEmpty == (text.functionName == "now")
    else { return nil }
    let path = ValueExpression.keyPath(nil, text.keyPath.map { .name($0) })
    value =
      switch text.selector {
      case nil: path
      case let selector?:
        .function(target: nil, selector: selector, arguments: text.keyPath.isEmpty ? [] : [path])
      }
    guard let filter = attribute.derivationFilter else {
      condition = nil
      return
    }
    guard let predicate = try? FormatParser.predicate(filter), predicate.isArchivable else {
      return nil
    }
    condition = predicate
  }

  /// What an attribute's derivation depends on, as a key.
  static func key(_ attribute: Attribute) -> String {
    "\(attribute.derivation ?? "")\u{0}\(attribute.derivationFilter ?? "")"
  }

  /// The archived expression.
  func expression(in archiver: inout KeyedArchiver) -> PropertyList {
    value.archived(in: &archiver) ?? KeyedArchiver.null
  }

  /// The archived filter; nil if there is none.
  func filter(in archiver: inout KeyedArchiver) -> PropertyList {
    condition?.archived(in: &archiver) ?? KeyedArchiver.null
  }
}
