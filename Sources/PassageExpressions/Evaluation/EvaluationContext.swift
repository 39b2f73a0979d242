import PassageDiagnostics
package import PassageValues

/// The data that an evaluation needs besides the object.
package struct EvaluationContext {
  /// The value of `now()`: seconds since 2001-01-01 UTC. It is fixed once per migration, so that a
  /// continued run gives the same store.
  package var now: Double

  /// Calls the policy's function that is registered under this selector.
  package var callPolicy: (_ selector: String, _ arguments: [PolicyArgument]) throws -> Value

  /// Provides the objects of to-many relationships. Without it, an expression that needs them fails
  /// (`PRE-034`).
  package var relatedObjects: (any RelatedObjectReader)?

  /// Returns the result for a key in a table of objects, NULL if the key is not in it. Without it,
  /// an expression that needs it fails (`PRE-045`).
  package var lookUp: (_ lookup: ObjectLookup, _ key: Value) throws -> Value = { lookup, _ in
    throw Diagnostic(
      FunctionCode.noLookup, "objects of “\(lookup.entityName)” are looked up, but no store is open"
    )
  }

  /// The current elements of collections.
  let frames = Frames()

  /// Creates a context that calls `callPolicy` for registered functions.
  package init(
    now: Double,
    callPolicy: @escaping (_ selector: String, _ arguments: [PolicyArgument]) throws -> Value
  ) {
    self.now = now
    self.callPolicy = callPolicy
  }

  /// Creates a context without a policy. A call of a registered function fails with `PRE-033`.
  package init(now: Double) {
    self.init(now: now) { selector, _ in
      throw Diagnostic(
        ExpressionCode.noPolicy, "the function “\(selector)” is called without a policy")
    }
  }
}

/// The current elements of the collections in one evaluation, by frame.
final class Frames {
  private var objects: [SourceObject?] = []
  private var values: [Value] = []
  /// The size in bytes of the created texts that are in memory while other arguments are computed.
  var waitingBytes = 0

  func enter(_ object: SourceObject, at frame: Int) {
    grow(to: frame)
    objects[frame] = object
  }

  func enter(_ value: Value, at frame: Int) {
    grow(to: frame)
    values[frame] = value
  }

  private func grow(to frame: Int) {
    while objects.count <= frame {
      objects.append(nil)
      values.append(.null)
    }
  }

  func key(_ frame: Int) -> Value {
    objects.indices.contains(frame) ? objects[frame].map { .integer($0.key) } ?? .null : .null
  }

  func cell(_ frame: Int, _ position: Int) -> Value {
    guard objects.indices.contains(frame), let object = objects[frame] else { return .null }
    return object.value(at: position)
  }

  func value(_ frame: Int) -> Value { values.indices.contains(frame) ? values[frame] : .null }
}
