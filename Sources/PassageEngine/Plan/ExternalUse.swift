package import PassageDiagnostics
package import PassageExpressions
internal import PassageMappings
package import PassageModels
package import PassagePlanning
internal import PassageStores

/// Refuses filters and expressions that use the value of an attribute whose values may be in files,
/// because they would see only the reference or the marker (`STO-318`). Such an attribute can only
/// be copied or compared with nil.
package struct ExternalUse {
  private let model: Model

  /// The refusals of all filters and expressions of some steps.
  package static func refusals(in steps: [PlannedStep]) -> Diagnostics {
    var refusals = Diagnostics()
    for step in steps where ExternalAttribute.isIn(step.source) {
      let use = ExternalUse(model: step.source)
      for bound in step.passes.flatMap(\.entityMappings) {
        use.judgeObjects(of: bound, &refusals)
        use.judgeProperties(of: bound, &refusals)
      }
    }
    return refusals
  }

  /// The refusal of a filter over objects of a model; `nil` if it uses no such value.
  ///
  /// - Parameter location: of the filter.
  package static func refusal(
    of filter: BoundPredicate, in model: Model, at location: SourceLocation?
  ) -> Diagnostic? {
    ExternalUse(model: model).attributeName(in: UsedValues(of: filter)).map {
      refusal("the filter uses “\($0)”", at: location, remedy: "only compare it with nil")
    }
  }

  /// Judges which objects are made.
  private func judgeObjects(of bound: BoundEntityMapping, _ refusals: inout Diagnostics) {
    let mapping = bound.mapping
    func judge(_ used: UsedValues?, _ what: String, at location: SourceLocation?) {
      guard let used, let name = attributeName(in: used) else { return }
      refusals.append(
        Self.refusal(
          "\(what) of “\(bound.name)” uses “\(name)”", at: location,
          remedy: "only compare it with nil"))
    }
    judge(bound.filter.map { UsedValues(of: $0) }, "the filter", at: mapping.filter?.location)
    judge(
      bound.elements.map { UsedValues(of: $0.list) }, "“forEach”", at: mapping.forEach?.location)
    judge(
      bound.merge.map { UsedValues(of: $0.value) }, "“mergeBy”",
      at: mapping.merge?.value.location)
  }

  /// Judges the values of attributes, and what relationships lead to.
  private func judgeProperties(of bound: BoundEntityMapping, _ refusals: inout Diagnostics) {
    for attribute in bound.attributes {
      for value in [attribute.value, attribute.fallback].compactMap(\.self)
      where value.copiedCell == nil {
        guard let name = attributeName(in: UsedValues(of: value)) else { continue }
        refusals.append(
          Self.refusal(
            "“\(bound.name)” computes “\(attribute.attribute.name)” from “\(name)”",
            at: Self.location(attribute.attribute.name, bound.mapping.attributeMappings),
            remedy: "copy the attribute unchanged, or only compare it with nil"))
      }
    }
    for relationship in bound.relationships {
      let used: UsedValues? =
        switch relationship.selection?.choice {
        case .objects(let list): UsedValues(of: list)
        case .addedBy(let value, _): UsedValues(of: value)
        case .added, nil: nil
        }
      guard let used, let name = attributeName(in: used) else { continue }
      let property = relationship.relationship.name
      refusals.append(
        Self.refusal(
          "“\(bound.name)” selects the objects of “\(property)” by “\(name)”",
          at: Self.location(property, bound.mapping.relationshipMappings),
          remedy: "only compare it with nil"))
    }
  }

  private static func location(
    _ property: String, _ mappings: [PropertyMapping]
  ) -> SourceLocation? {
    mappings.first { $0.name.value == property }?.name.location
  }

  /// The name of the first such attribute among those that are used.
  private func attributeName(in used: UsedValues) -> String? {
    let path = used.cells.first { path in
      if case .attribute(let attribute) = path.leaf { attribute.mayBeInFiles } else { false }
    }
    if let path { return path.name }
    let lookedUp = used.lookedUp.first { found in
      guard let entity = model.entity(named: found.entityName) else { return false }
      return model.attribute(found.attribute, of: entity)?.mayBeInFiles == true
    }
    return lookedUp.map { "\($0.entityName).\($0.attribute)" }
  }

  private static func refusal(
    _ use: String, at location: SourceLocation?, remedy: String
  ) -> Diagnostic {
    Diagnostic(
      "STO-318", "\(use), whose values may be in files", at: location,
      reason: "an expression gets the reference to the file, not its bytes", remedy: remedy)
  }
}

extension Attribute {
  /// Whether its values may be in files. Only binary and transformable attributes have such.
  fileprivate var mayBeInFiles: Bool {
    allowsExternalBinaryDataStorage && (type == .binary || type == .transformable)
  }
}
