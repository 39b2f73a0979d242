import PassageDiagnostics
package import PassageValues

/// What an expression needs besides the object.
package struct EvaluationContext {
  /// What `now()` gives: seconds since 2001-01-01 UTC, frozen once per migration so that a run that
  /// is continued gives the same store.
  package var now: Double

  /// Calls the function registered for the policy under this selector.
  package var callPolicy: (_ selector: String, _ arguments: [PolicyArgument]) throws -> Value

  /// Where the objects of to-many relationships come from; without it they cannot be asked for
  /// (`PRE-034`).
  package var relatedObjects: (any RelatedObjectReader)?

  /// Gives the result beside a key in a table of objects, NULL where the key is not in it; without
  /// it such an expression cannot be evaluated (`PRE-045`).
  package var lookUp: (_ lookup: ObjectLookup, _ key: Value) throws -> Value = { lookup, _ in
    throw Diagnostic(
      FunctionCode.noLookup, "objects of “\(lookup.entityName)” are looked up, but no store is open"
    )
  }

  /// The elements at which collections are being looked at.
  let frames = Frames()

  /// Makes a context that calls `callPolicy` for registered functions.
  package init(
    now: Double,
    callPolicy: @escaping (_ selector: String, _ arguments: [PolicyArgument]) throws -> Value
  ) {
    self.now = now
    self.callPolicy = callPolicy
  }

  /// Makes a context without a policy: a call of a registered function fails with `PRE-033`.
  package init(now: Double) {
    self.init(now: now) { selector, _ in
      throw Diagnostic(
        ExpressionCode.noPolicy, "the function “\(selector)” is called without a policy")
    }
  }
}

/// The elements at which the collections of one evaluation are being looked at, by their places.
final class Frames {
  private var objects: [SourceObject?] = []
  private var values: [Value] = []
  /// The bytes of the texts that functions made and that wait for other arguments.
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
    guard objects.indices.contains(frame), let object = objects[frame],
      object.values.indices.contains(position)
    else { return .null }
    return object.values[position]
  }

  func value(_ frame: Int) -> Value { values.indices.contains(frame) ? values[frame] : .null }
}
