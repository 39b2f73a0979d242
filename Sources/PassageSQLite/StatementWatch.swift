internal import CSQLite
internal import Synchronization

/// Makes every statement of some work end when the work is asked to stop.
///
/// Connections are opened in many places. The caller sets ``current`` once, around all of the work;
/// each connection opened within reports here and asks by itself. A task-local value is seen by no
/// other work and cannot outlive it.
///
/// A statement is ended in two ways, because neither reaches every statement: the progress handler is called between
/// instructions of SQLite's virtual machine, and ``interruptIfAsked()`` from another thread ends long
/// instructions, such as counting a b-tree.
package final class StatementWatch: Sendable {
  /// The watch over the work under way; `nil` where nobody can ask it to stop.
  @TaskLocal package static var current: StatementWatch?

  /// The instructions between two calls of ``isAsked``. One may call a function of the expression language, so
  /// that their number is kept small.
  package static let instructions: Int32 = 1_000

  /// Whether the work is to stop.
  package let isAsked: @Sendable () -> Bool

  /// The open connections, by address.
  private let connections = Mutex<Set<UInt>>([])

  package init(isAsked: @escaping @Sendable () -> Bool) { self.isAsked = isAsked }

  /// Interrupts what runs on the connections when the work was asked to stop. For another thread, which
  /// calls it now and then.
  package func interruptIfAsked() {
    guard isAsked() else { return }
    connections.withLock { addresses in
      // https://www.sqlite.org/c3ref/interrupt.html: safe from any thread while the connection is
      // open. None is closed before it is removed from the set, which this lock prevents for the moment.
      for address in addresses { sqlite3_interrupt(OpaquePointer(bitPattern: address)) }
    }
  }

  func begin(_ handle: OpaquePointer) {
    connections.withLock { _ = $0.insert(UInt(bitPattern: handle)) }
  }

  func end(_ handle: OpaquePointer) {
    connections.withLock { _ = $0.remove(UInt(bitPattern: handle)) }
  }
}
