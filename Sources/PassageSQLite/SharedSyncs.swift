/// Makes what SQLite syncs durable together with other files.
///
/// Connections are opened in many places. The caller sets ``current`` once, around all of the work,
/// and every connection opened inside takes part. A sync asks for the value of the thread on which
/// it happens; where there is none, SQLite syncs as always.
package struct SharedSyncs: Sendable {
  /// What the current work shares its syncs with; `nil` for nothing.
  @TaskLocal package static var current: SharedSyncs?

  /// Makes an open file durable. The function passed to it syncs only that file; both return 0, or
  /// the number of the error.
  let synchronize: @Sendable (_ path: String, _ alone: () -> Int32) -> Int32
  /// Makes the names in the folder of a file durable; returns 0 or the number of the error.
  let synchronizeFolder: @Sendable (_ path: String) -> Int32

  package init(
    synchronize: @escaping @Sendable (_ path: String, _ alone: () -> Int32) -> Int32,
    synchronizeFolder: @escaping @Sendable (_ path: String) -> Int32
  ) {
    self.synchronize = synchronize
    self.synchronizeFolder = synchronizeFolder
  }
}
