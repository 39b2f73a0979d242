import PassageDiagnostics
public import PassageValues

/// What an expression needs besides the object.
public struct EvaluationContext {
  /// An argument of a registered function.
  public enum Argument: Sendable {
    /// A value; for a to-one relationship, the related object's key.
    case value(Value)
    /// The source object itself, for `$source`.
    case object(SourceObject)
    /// One of the engine's own objects by the name of its variable, as `manager` for `$manager`.
    case variable(String)
  }

  /// What `now()` gives: seconds since 2001-01-01 UTC, frozen once per migration so that a run that
  /// is continued gives the same store.
  public var now: Double

  /// Calls the function registered for the policy under this selector.
  public var callPolicy: (_ selector: String, _ arguments: [Argument]) throws -> Value

  /// Makes a context that calls `callPolicy` for registered functions.
  public init(
    now: Double,
    callPolicy: @escaping (_ selector: String, _ arguments: [Argument]) throws -> Value
  ) {
    self.now = now
    self.callPolicy = callPolicy
  }

  /// Makes a context without a policy: a call of a registered function fails with `PRE-033`.
  public init(now: Double) {
    self.init(now: now) { selector, _ in
      throw Diagnostic(
        ExpressionCode.noPolicy, "the function “\(selector)” is called where no policy is")
    }
  }
}
