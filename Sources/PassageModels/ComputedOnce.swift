internal import Synchronization

/// A value that is computed when it is first needed, and then kept for all copies of its owner, on
/// any thread.
package final class ComputedOnce<Value: Sendable>: Sendable {
  private let known = Mutex<Value?>(nil)

  package init() {}

  /// The value.
  ///
  /// - Parameter compute: computes the value. It is called only once, while other threads wait. It
  ///   must not ask for the same value.
  package func value(_ compute: () -> Value) -> Value {
    known.withLock { known in
      if let known { return known }
      let value = compute()
      known = value
      return value
    }
  }
}
