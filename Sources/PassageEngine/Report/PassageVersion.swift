/// The version of Passage.
package enum PassageVersion {
  /// The version that stores record and `migrate --version` prints.
  package static let current = "0.1.0"
}
