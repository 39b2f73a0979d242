public import PassageValues

/// An argument of a policy's value function: a value, or the source object.
public enum PolicyArgument: Sendable {
  /// A value; for a to-one relationship, the related object's key.
  case value(Value)
  /// The source object itself, for `$source`.
  case object(SourceObject)
  /// An object of the engine, by the name of its variable: `manager` for `$manager`.
  case variable(String)
}
