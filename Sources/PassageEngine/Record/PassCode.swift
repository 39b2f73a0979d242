internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings

/// The code of the program that takes part in a pass: its policies, and the functions that its
/// filters and values call.
struct PassCode {
  /// The declared revisions, by the name of the policy or function.
  private(set) var revisions: [String: String] = [:]
  /// The names of the policies and functions that declare no revision.
  private(set) var unrevised: Set<String> = []

  init(_ pass: BoundMapping, policies: PolicyRegistry) {
    for mapping in pass.entityMappings {
      if let name = mapping.mapping.policy?.name.value, let type = policies[name] {
        add("policy “\(name)”", type.revision)
      }
      for function in mapping.registeredFunctions {
        add("function “\(function.selector)”", function.revision ?? "")
      }
    }
  }

  private mutating func add(_ name: String, _ revision: String) {
    if revision.isEmpty { unrevised.insert(name) } else { revisions[name] = revision }
  }

  /// The identity of the code, by name: its revision, or the build of the program.
  ///
  /// - Parameter build: called only if some code declares no revision.
  func states(build: () -> String) -> [String: String] {
    var states = revisions.mapValues { "revision \($0)" }
    if !unrevised.isEmpty {
      let build = build()
      for name in unrevised { states[name] = build }
    }
    return states
  }
}

extension BoundEntityMapping {
  /// The program's own functions that the filter and the values call.
  fileprivate var registeredFunctions: [ValueFunction] {
    (filter?.registeredFunctions ?? [])
      + attributes.flatMap {
        $0.value.registeredFunctions + ($0.fallback?.registeredFunctions ?? [])
      }
  }
}
