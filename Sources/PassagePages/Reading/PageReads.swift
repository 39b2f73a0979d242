internal import Synchronization

/// Counts how often each page of a file is read without SQLite, for tests: what a migration reads of its
/// source is a good part of what it costs.
package final class PageReads: Sendable {
  /// Counts for the readers that the current task makes; `nil` to count nothing.
  @TaskLocal package static var current: PageReads?

  private let state = Mutex<[String: [UInt32: Int]]>([:])

  package init() {}

  /// How often pages of a file were read, by number. Those in its log count too.
  package func counts(of path: String) -> [UInt32: Int] { state.withLock { $0[path] ?? [:] } }

  func note(_ first: UInt32, count: Int, of path: String) {
    state.withLock { state in
      for page in first..<first + UInt32(count) { state[path, default: [:]][page, default: 0] += 1 }
    }
  }
}
