/// Pages that contradict each other or the format: the file is damaged.
package struct PageDamage: Error, Sendable, Hashable, CustomStringConvertible {
  /// The page on which it was found.
  package let page: UInt32
  /// What is wrong, as the end of the sentence “page 7 …”.
  package let problem: String

  package init(page: UInt32, _ problem: String) {
    self.page = page
    self.problem = problem
  }

  package var description: String { "page \(page) \(problem)" }
}
