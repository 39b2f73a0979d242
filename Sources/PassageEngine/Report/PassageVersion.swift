/// The version of Passage.
package enum PassageVersion {
  /// As stores that it makes record it, and as `migrate --version` says it.
  package static let current = "0.1.0"
}
