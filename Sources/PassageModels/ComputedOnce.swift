internal import Synchronization

/// A value that is worked out when it is first asked for, and then kept: by all copies of what holds it,
/// from whatever thread.
package final class ComputedOnce<Value: Sendable>: Sendable {
  private let known = Mutex<Value?>(nil)

  package init() {}

  /// The value.
  ///
  /// - Parameter compute: works it out; called once in all, while others who ask wait. It must not ask
  ///   for the same value.
  package func value(_ compute: () -> Value) -> Value {
    known.withLock { known in
      if let known { return known }
      let value = compute()
      known = value
      return value
    }
  }
}
