/// What a plan must know about a registered policy: enough to check a mapping, and no code.
package struct PolicySignature: Sendable, Hashable {
  /// The name entity mappings refer to it by.
  package var name: String
  /// The value functions that `FUNCTION($entityPolicy, "selector:", …)` may call: the number of
  /// arguments each takes, by selector.
  package var functions: [String: Int]

  /// - Parameters:
  ///   - name: the name entity mappings refer to it by.
  ///   - functionSelectors: Objective-C selectors, with one colon for each argument.
  package init(name: String, functionSelectors: [String] = []) {
    self.name = name
    self.functions = Dictionary(
      functionSelectors.map { selector in (selector, selector.count { $0 == ":" }) },
      uniquingKeysWith: { first, _ in first })
  }
}
