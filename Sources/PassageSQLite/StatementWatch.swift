internal import CSQLite
internal import Synchronization

/// Ends every statement of a piece of work when the work is asked to stop.
///
/// Connections are opened in many places. The caller sets ``current`` once, around all of the work,
/// and each connection opened inside registers itself. A task-local value is not visible to other
/// work and cannot outlive its scope.
///
/// A statement is ended in two ways, because neither works for every statement. The progress
/// handler is called between instructions of SQLite's virtual machine. ``interruptIfAsked()``,
/// called from another thread, ends long instructions, such as counting a b-tree.
package final class StatementWatch: Sendable {
  /// The watch over the current work; `nil` if nobody can ask it to stop.
  @TaskLocal package static var current: StatementWatch?

  /// The number of instructions between two calls of ``isAsked``. It is small because an
  /// instruction may call a function of the expression language.
  package static let instructions: Int32 = 1_000

  /// Returns whether the work is to stop.
  package let isAsked: @Sendable () -> Bool

  /// The open connections, by address, and how many are being closed.
  private let connections = Mutex<(open: Set<UInt>, closing: Int)>(([], 0))

  /// How long work that comes to its own end may take for it once the work is asked to stop.
  private static let patience: Duration = .seconds(2)

  /// How much of such work runs, and when it was noticed that it is to stop.
  private let ending = Mutex<(depth: Int, since: ContinuousClock.Instant?)>((0, nil))

  /// How much work runs that must not be left half done.
  private let completing = Mutex(0)

  /// Called before a connection begins.
  private let willBegin: @Sendable () -> Void

  package init(
    willBegin: @escaping @Sendable () -> Void = {}, isAsked: @escaping @Sendable () -> Bool
  ) {
    self.willBegin = willBegin
    self.isAsked = isAsked
  }

  /// Whether no connection is open, and what was to do after each was closed is done.
  package var isIdle: Bool { connections.withLock { $0.open.isEmpty && $0.closing == 0 } }

  /// Runs work that asks by itself whether it is to stop, and then ends with what it has done, such as a
  /// batch. Its statements are interrupted only if that takes longer than two seconds: what a batch has done
  /// would be lost, and a run that may not take as long as a batch would never advance.
  package static func lettingEnd<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let watch = current else { return try body() }
    watch.ending.withLock { $0.depth += 1 }
    defer { watch.ending.withLock { $0.depth -= 1 } }
    return try body()
  }

  /// Runs work that is short and must not be left half done. Its statements are not interrupted.
  package static func completing<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let watch = current else { return try body() }
    watch.completing.withLock { $0 += 1 }
    defer { watch.completing.withLock { $0 -= 1 } }
    return try body()
  }

  /// Whether statements are to be interrupted.
  func interrupts() -> Bool {
    guard isAsked(), completing.withLock({ $0 == 0 }) else { return false }
    return ending.withLock { ending in
      guard ending.depth > 0 else { return true }
      let since = ending.since ?? .now
      ending.since = since
      return since.duration(to: .now) > Self.patience
    }
  }

  /// Interrupts the statements on all connections if the work was asked to stop. Another thread
  /// calls it from time to time.
  package func interruptIfAsked() {
    guard interrupts() else { return }
    connections.withLock { connections in
      // https://www.sqlite.org/c3ref/interrupt.html: safe from any thread while the connection is
      // open. A connection is removed from the set before it is closed, which this lock delays.
      for address in connections.open { sqlite3_interrupt(OpaquePointer(bitPattern: address)) }
    }
  }

  func begin(_ handle: OpaquePointer) {
    willBegin()
    connections.withLock { _ = $0.open.insert(UInt(bitPattern: handle)) }
  }

  func end(_ handle: OpaquePointer) {
    connections.withLock { _ = $0.open.remove(UInt(bitPattern: handle)) }
  }

  /// Ends a connection, and waits for what follows its end.
  func end(_ handle: OpaquePointer, closing close: () -> Void) {
    connections.withLock {
      $0.open.remove(UInt(bitPattern: handle))
      $0.closing += 1
    }
    close()
    connections.withLock { $0.closing -= 1 }
  }
}
