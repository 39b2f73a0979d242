/// A temporary file does not hold what was written to it.
package struct SpillDamage: Error, Sendable, Hashable {
  package init() {}
}
