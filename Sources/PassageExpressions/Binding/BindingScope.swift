package import PassageModels

/// The meaning of names in a predicate or a value expression.
package struct BindingScope: Sendable {
  /// How the object under test is written.
  package enum Subject: Sendable, Hashable {
    /// In a filter: `name` and `SELF`.
    case selfObject
    /// In a value expression: `$source.name` and `$source`.
    case variable(String)
  }

  /// The model of the store that is read.
  package var model: Model
  /// The entity of the object.
  package var entity: Entity
  /// How the object under test is written.
  package var subject: Subject
  /// The functions registered for `FUNCTION($entityPolicy, "selector:", …)`: the number of
  /// arguments of each, by selector. `nil` if the policy's functions are not known here; every
  /// selector is then accepted.
  package var policyFunctions: [String: Int]?
  /// The functions that can be called by name.
  package var functions = FunctionLibrary.standard
  /// The meaning of comparisons with nil.
  package var nullSemantics = NullSemantics.inMemory
  /// The variables that stand for a property of the object under test, or for the object at the end
  /// of a path of relationships: the path of each, by name.
  package var paths: [String: [String]] = [:]
  /// What the value is for, such as an attribute of an entity mapping, where `randomUUID()` gives
  /// another UUID for each; empty if that is not known.
  package var place = ""
  /// The values of variables, `$name`. They contain no names themselves; see ``PredicateArgument``.
  package var variables: [String: PredicateArgument] = [:]

  /// Creates the scope of a filter.
  package static func filter(model: Model, entity: Entity) -> BindingScope {
    BindingScope(model: model, entity: entity, subject: .selfObject, policyFunctions: [:])
  }

  /// Creates the scope of a value expression of a mapping, in which `$source` is the object.
  package static func value(
    model: Model, entity: Entity, policyFunctions: [String: Int]? = [:]
  ) -> BindingScope {
    BindingScope(
      model: model, entity: entity, subject: .variable("source"), policyFunctions: policyFunctions)
  }

  /// Creates a scope.
  package init(
    model: Model, entity: Entity, subject: Subject, policyFunctions: [String: Int]? = [:]
  ) {
    self.model = model
    self.entity = entity
    self.subject = subject
    self.policyFunctions = policyFunctions
  }
}
