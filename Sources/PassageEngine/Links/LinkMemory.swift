/// The memory for the links of a pass that are not arithmetic.
package struct LinkMemory: Sendable {
  /// The limits of every pass that this task runs.
  @TaskLocal package static var allowed = LinkMemory()

  /// The bytes of all sets and maps that tell what objects have become.
  package var tableBytes = 12 << 20
  /// The bytes for sorting links to objects for which these are not enough.
  package var runBytes = 4 << 20

  package init() {}

  package init(tableBytes: Int, runBytes: Int) {
    self.tableBytes = tableBytes
    self.runBytes = runBytes
  }
}
