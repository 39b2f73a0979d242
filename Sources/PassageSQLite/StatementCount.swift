internal import Synchronization

/// Counts the connections that are opened and the statements that are compiled, for tests: what a
/// small migration costs is mostly that.
package final class StatementCount: Sendable {
  /// What was counted.
  package struct Counts: Sendable, Hashable {
    /// The paths of the connections that were opened, in order.
    package var connections: [String] = []
    /// The texts that were compiled, in order. A text of several statements counts as one.
    package var statements: [String] = []
  }

  /// Counts for the connections that the current task opens; `nil` to count nothing.
  @TaskLocal package static var current: StatementCount?

  private let state = Mutex(Counts())

  package init() {}

  /// What was counted so far.
  package var counts: Counts { state.withLock { $0 } }

  func countConnection(_ path: String) { state.withLock { $0.connections.append(path) } }

  func countStatement(_ sql: String) { state.withLock { $0.statements.append(sql) } }
}
