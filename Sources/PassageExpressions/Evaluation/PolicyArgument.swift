public import PassageValues

/// An argument of a policy's value function: a value, or the source object.
public enum PolicyArgument: Sendable {
  /// A value; for a to-one relationship, the related object's key.
  case value(Value)
  /// The source object itself, for `$source`.
  case object(SourceObject)
  /// One of the engine's own objects by the name of its variable, as `manager` for `$manager`.
  case variable(String)
}
