internal import PassageDiagnostics
internal import PassageExpressions
import PassageModels
internal import PassageValues

extension InferencePass {
  /// The mapping of a destination attribute; `nil` if it keeps its default value.
  ///
  /// - Parameter oldName: the corresponding source property.
  mutating func attributeMapping(
    _ new: Attribute, old oldName: String?, _ oldEntity: Entity, _ newEntity: Entity
  ) -> PropertyMapping? {
    guard new.isStored, new.derivation == nil else { return nil }
    let place = (newEntity, new.name)
    guard let oldName else {
      let absorbed = absorption(into: new, of: nil, oldEntity, newEntity)
      guard !new.isOptional, new.defaultValue.isNull else { return absorbed }
      return refuse(
        InferenceObstacle(
          "INF-005", "is new and required, but has no default",
          reason: "the objects of the source have no value for it",
          remedy: "give it a default or make it optional in the model, or write a mapping model"),
        at: place, proposing: absorbed ?? proposal(of: [firstValue(of: new, oldEntity)], for: new))
    }
    guard let old = source.attribute(oldName, of: oldEntity) else {
      return refuse(
        Self.kindChange(from: "a relationship", to: "an attribute"), at: place,
        proposing: absorption(into: new, of: oldName, oldEntity, newEntity)
          ?? proposal(of: [firstValue(of: new, oldEntity)], for: new))
    }
    var mapping = PropertyMapping(name: new.name)
    if oldName != new.name {
      mapping = PropertyMapping(name: new.name, expression: Self.sourcePath(oldName).description)
    }
    if let obstacle = Self.obstacle(toHolding: old, in: new) {
      return refuse(obstacle, at: place, proposing: converted(mapping, old, new, oldEntity))
    }
    if old.isOptional, !new.isOptional {
      guard let standard = InferenceDefault.expression(new.defaultValue, as: new.type) else {
        mapping.fallback = firstValue(of: new, oldEntity).map { Located($0) }
        return refuse(
          InferenceObstacle(
            "INF-005",
            new.defaultValue.isNull
              ? "became required, but has no default"
              : "became required, but its default cannot be written as an expression",
            reason: "objects of the source may have no value for it",
            remedy: "give it a default or make it optional in the model, or write a mapping model"),
          at: place, proposing: mapping)
      }
      mapping.fallback = Located(standard.description)
    }
    return mapping
  }

  /// Why the stored values of the old attribute are not, unchanged, valid values of the new one;
  /// `nil` if they all are.
  private static func obstacle(toHolding old: Attribute, in new: Attribute) -> InferenceObstacle? {
    guard widens(old.type, to: new.type), old.elements == new.elements else {
      let conversion = AttributeConversion(from: old, to: new.type, at: sourcePath(old.name))
      return InferenceObstacle(
        "INF-004", "changed its type from \(old.type.name) to \(new.type.name)",
        reason: "the values would have to be converted",
        remedy: conversion.map {
          "write a mapping model with an expression for it, for instance \($0.text)"
        } ?? "write a mapping model with an expression or a policy for it")
    }
    guard old.allowsExternalBinaryDataStorage == new.allowsExternalBinaryDataStorage else {
      return InferenceObstacle(
        "INF-011",
        new.allowsExternalBinaryDataStorage
          ? "may now store its data in separate files"
          : "may no longer store its data in separate files",
        reason: "the stored bytes say where the data is, and would have to be converted",
        remedy: "leave the setting as it was, or write a mapping model with a policy")
    }
    return nil
  }

  /// The proposal for an attribute of changed type.
  private func converted(
    _ copy: PropertyMapping, _ old: Attribute, _ new: Attribute, _ oldEntity: Entity
  ) -> PropertyMapping {
    guard old.type != new.type else { return copy }
    let path = Self.sourcePath(old.name)
    let conversion = AttributeConversion(from: old, to: new.type, at: path)
    var mapping = proposal(
      of: [conversion?.expression, path.description]
        .filter { accepts($0, for: new, of: oldEntity) }, for: new)
    mapping.draft = conversion?.note.map { Located("the proposal is \($0)") }
    if !new.isOptional, mapping.source != .leftAtDefault {
      let standard = InferenceDefault.expression(new.defaultValue, as: new.type)?.description
      mapping.fallback = (standard ?? firstValue(of: new, oldEntity)).map { Located($0) }
    }
    return mapping
  }

  /// Whether every stored number of one type is a number of the other type without loss.
  private static func widens(_ old: AttributeType, to new: AttributeType) -> Bool {
    if old == new { return true }
    return switch (old, new) {
    case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64),
      (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64),
      (.float, .double):
      true
    default: false
    }
  }

  static func kindChange(from: String, to: String) -> InferenceObstacle {
    InferenceObstacle(
      "INF-009", "was \(from) and is now \(to)",
      reason: "one cannot be computed from the other without knowing what they mean",
      remedy: "give the new property another name, or write a mapping model")
  }

  /// `$source.name`.
  static func sourcePath(_ name: String) -> ValueExpression { .path(.variable("source"), name) }
}
