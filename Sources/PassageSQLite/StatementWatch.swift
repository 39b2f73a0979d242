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

  /// Interrupts the statements on all connections if the work was asked to stop. Another thread
  /// calls it from time to time.
  package func interruptIfAsked() {
    guard isAsked() else { return }
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
