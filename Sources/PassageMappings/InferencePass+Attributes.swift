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
      if !new.isOptional, new.defaultValue.isNull {
        report(
          "INF-005", "is new and required, but has no default", at: place,
          reason: "the objects of the source have no value for it",
          remedy: "give it a default or make it optional in the model, or write a mapping model")
      }
      return nil
    }
    guard let old = source.attribute(oldName, of: oldEntity) else {
      reportKindChange(place, from: "a relationship", to: "an attribute")
      return nil
    }
    guard holds(new, everyValueOf: old, at: place) else { return nil }
    var mapping = PropertyMapping(name: new.name)
    if oldName != new.name {
      mapping = PropertyMapping(name: new.name, expression: Self.sourcePath(oldName).description)
    }
    if old.isOptional, !new.isOptional {
      guard let standard = InferenceDefault.expression(new.defaultValue, as: new.type) else {
        report(
          "INF-005",
          new.defaultValue.isNull
            ? "became required, but has no default"
            : "became required, but its default cannot be written as an expression", at: place,
          reason: "objects of the source may have no value for it",
          remedy: "give it a default or make it optional in the model, or write a mapping model")
        return nil
      }
      mapping.fallback = Located(standard.description)
    }
    return mapping
  }

  /// Whether every stored value of the old attribute is, unchanged, a valid value of the new one.
  private mutating func holds(
    _ new: Attribute, everyValueOf old: Attribute, at place: (Entity, String)
  ) -> Bool {
    guard Self.widens(old.type, to: new.type), old.elements == new.elements else {
      report(
        "INF-004", "changed its type from \(old.type.name) to \(new.type.name)", at: place,
        reason: "the values would have to be converted",
        remedy: Self.conversion(of: old, to: new.type).map {
          "write a mapping model with an expression for it, for instance \($0)"
        } ?? "write a mapping model with an expression or a policy for it")
      return false
    }
    guard old.allowsExternalBinaryDataStorage == new.allowsExternalBinaryDataStorage else {
      report(
        "INF-011",
        new.allowsExternalBinaryDataStorage
          ? "may now store its data in separate files"
          : "may no longer store its data in separate files", at: place,
        reason: "the stored bytes say where the data is, and would have to be converted",
        remedy: "leave the setting as it was, or write a mapping model with a policy")
      return false
    }
    return true
  }

  /// An expression that converts the values to another type. If it cannot read a text, it ends the
  /// migration; `CAST` would give nil.
  private static func conversion(of old: Attribute, to type: AttributeType) -> String? {
    let path = sourcePath(old.name).description
    return switch (old.type, type) {
    case (.string, .date): "parseDate(\(path))"
    case (.string, .integer16), (.string, .integer32), (.string, .integer64), (.string, .double),
      (.string, .float):
      "parseNumber(\(path), \"en_US_POSIX\")"
    case (.string, .uuid): "uuidFromText(\(path))"
    case (.integer16, .string), (.integer32, .string), (.integer64, .string), (.double, .string),
      (.float, .string), (.boolean, .string), (.date, .string), (.uuid, .string):
      "CAST(\(path), \"NSString\")"
    case (.integer16, .date), (.integer32, .date), (.integer64, .date), (.double, .date),
      (.float, .date):
      "CAST(\(path), \"NSDate\") for seconds since 2001-01-01 UTC"
    default: nil
    }
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

  mutating func reportKindChange(_ place: (Entity, String), from: String, to: String) {
    report(
      "INF-009", "was \(from) and is now \(to)", at: place,
      reason: "one cannot be computed from the other without knowing what they mean",
      remedy: "give the new property another name, or write a mapping model")
  }

  /// `$source.name`.
  static func sourcePath(_ name: String) -> ValueExpression { .path(.variable("source"), name) }
}
