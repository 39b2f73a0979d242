internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

extension BoundAttribute {
  /// The check of what a policy's function returns as the attribute's value, by the same rules as
  /// ``DestinationObject/set(_:to:)``, but for numbers that are too large for the attribute, which are counted
  /// as losses; `nil` where no function is called.
  ///
  /// - Parameter entity: the name of the attribute's entity.
  func policyResultCheck(entity: String) -> PolicyResultCheck? {
    guard value.callsPolicy || fallback?.callsPolicy == true else { return nil }
    let (name, type) = (attribute.name, attribute.type)
    return { selector, result in
      guard !type.stores(result) else { return }
      throw Diagnostic(
        FunctionCode.wrongResult,
        "the policy's function “\(selector)” returned \(result.kindName), "
          + "but “\(entity).\(name)” is of type \(type)",
        remedy: "correct the function, or call it for another attribute")
    }
  }
}
