/// How a run over many stores is carried out.
package struct FleetLimits: Sendable, Hashable {
  /// How many stores are computed at a time.
  package var jobs = 1
  /// How many stores become durable together; with 1, each by itself.
  package var group = 64
  /// The run stops when more stores than this have failed; `nil` for no limit.
  package var maximumFailures: FleetShare?
  /// Whether a migrated store is one that was published: see ``RemotePlace``.
  package internal(set) var isPublishing = false

  package init() {}

  /// Each store at work needs a thread and several open files.
  package static let maximumJobs = 64
  package static let maximumGroup = 128

  /// How many stores are at work at a time.
  var window: Int { max(jobs, group) }
}
