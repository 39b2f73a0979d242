internal import CSQLite

/// How SQLite waits for another program's lock.
///
/// Connections are opened in many places. The caller sets ``pause`` once, around all of the work, and
/// every connection opened inside waits so.
package enum LockWait {
  /// Waits for a number of milliseconds; `nil` to leave that to SQLite.
  @TaskLocal package static var pause: (@Sendable (_ milliseconds: Int) -> Void)?

  /// Makes a connection wait.
  ///
  /// - Parameter limit: milliseconds to wait for a lock, in all.
  static func begin(_ connection: OpaquePointer, limit: Int32) {
    guard pause != nil, limit > 0 else {
      sqlite3_busy_timeout(connection, limit)
      return
    }
    // The context is the limit itself. https://www.sqlite.org/c3ref/busy_handler.html
    let context = UnsafeMutableRawPointer(bitPattern: Int(limit))
    sqlite3_busy_handler(
      connection,
      { context, attempt in
        let limit = Int(bitPattern: context)
        let (waited, next) = LockWait.waits(attempt: Int(attempt))
        guard waited < limit else { return 0 }
        let milliseconds = min(next, limit - waited)
        // A thread beside the caller's has no value of its own, and waits all the same.
        if let pause = LockWait.pause {
          pause(milliseconds)
        } else {
          sqlite3_sleep(Int32(milliseconds))
        }
        return 1
      }, context)
  }

  /// Waits that become longer and longer, in milliseconds: those before an attempt, and the one that
  /// is next.
  private static func waits(attempt: Int) -> (before: Int, next: Int) {
    let first = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50]
    let longest = 100
    guard attempt >= first.count else {
      return (first[..<attempt].reduce(0, +), first[attempt])
    }
    return (first.reduce(0, +) + longest * (attempt - first.count), longest)
  }
}
