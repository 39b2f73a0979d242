/// What a plan needs to know about a registered policy in order to check a mapping model.
package struct PolicySignature: Sendable, Hashable {
  /// The name by which entity mappings refer to it.
  package var name: String
  /// The value functions that `FUNCTION($entityPolicy, "selector:", …)` may call: the number of
  /// arguments each takes, by selector.
  package var functions: [String: Int]

  /// - Parameters:
  ///   - name: the name by which entity mappings refer to it.
  ///   - functionSelectors: Objective-C selectors, with one colon for each argument.
  package init(name: String, functionSelectors: [String] = []) {
    self.name = name
    self.functions = Dictionary(
      functionSelectors.map { selector in (selector, selector.count { $0 == ":" }) },
      uniquingKeysWith: { first, _ in first })
  }
}
