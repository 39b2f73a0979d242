/// What a plan must know of a registered policy: enough to check a mapping, nothing that runs.
public struct PolicySignature: Sendable, Hashable {
  /// The name entity mappings refer to it by.
  public var name: String
  /// The selectors of the value functions that `FUNCTION($entityPolicy, "selector:", …)` may call.
  public var functionSelectors: Set<String>

  public init(name: String, functionSelectors: Set<String> = []) {
    self.name = name
    self.functionSelectors = functionSelectors
  }
}
