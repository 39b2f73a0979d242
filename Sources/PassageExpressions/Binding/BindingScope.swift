package import PassageModels

/// What names mean in the place of a predicate or a value expression.
package struct BindingScope: Sendable {
  /// How the object is written.
  package enum Subject: Sendable, Hashable {
    /// A filter: `name` and `SELF`.
    case selfObject
    /// A value expression: `$source.name` and `$source`.
    case variable(String)
  }

  /// The model of the store that is read.
  package var model: Model
  /// The entity of the object.
  package var entity: Entity
  /// How the object is written.
  package var subject: Subject
  /// The functions registered for `FUNCTION($entityPolicy, "selector:", …)`: the number of
  /// arguments each takes, by selector. `nil` when the policy's functions are not known here: every
  /// selector is then taken as it is.
  package var policyFunctions: [String: Int]?
  /// The functions that are called by name.
  package var functions = FunctionLibrary.standard
  /// What comparisons with nil mean.
  package var nullSemantics = NullSemantics.inMemory
  /// What `$name` stands for: values without names of their own, see ``PredicateArgument``.
  package var variables: [String: PredicateArgument] = [:]

  /// Names for a filter.
  package static func filter(model: Model, entity: Entity) -> BindingScope {
    BindingScope(model: model, entity: entity, subject: .selfObject, policyFunctions: [:])
  }

  /// Names for a value expression of a mapping: the object is `$source`.
  package static func value(
    model: Model, entity: Entity, policyFunctions: [String: Int]? = [:]
  ) -> BindingScope {
    BindingScope(
      model: model, entity: entity, subject: .variable("source"), policyFunctions: policyFunctions)
  }

  /// Names for any place.
  package init(
    model: Model, entity: Entity, subject: Subject, policyFunctions: [String: Int]? = [:]
  ) {
    self.model = model
    self.entity = entity
    self.subject = subject
    self.policyFunctions = policyFunctions
  }
}
