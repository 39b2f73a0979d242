internal import PassageDiagnostics
internal import PassageExpressions
package import PassageModels

extension BoundEntityMapping {
  /// The source attribute whose values an attribute takes as they are, converted at most to its type.
  package func copiedAttribute(of bound: BoundAttribute) -> Attribute? {
    let mapped = mapping.attributeMappings.first { $0.name.value == bound.attribute.name }
    let cells = bound.value.valueCells
    guard cells.count == 1, bound.value.keyPaths.count == 1,
      case .attribute(let attribute) = cells[0].leaf
    else { return nil }
    if case .expression(let text)? = mapped?.source, text.value != "$source.\(cells[0].name)" {
      return nil
    }
    return attribute
  }
}
