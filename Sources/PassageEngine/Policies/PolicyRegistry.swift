internal import PassageDiagnostics
package import PassageExpressions
internal import PassageMappings

/// The policies a program has, by name, and its functions. Nothing else can be called from a mapping
/// file.
///
/// A mapping model may name a policy with its module, `Shop.OrderPolicy`, as Xcode's do: where none is
/// registered under the full name, its last part decides.
package struct PolicyRegistry: Sendable {
  private let types: [String: any MigrationPolicy.Type]

  /// The functions that filters and values may call by name.
  package let functions: FunctionLibrary

  /// - Parameters:
  ///   - types: the policies; of two with the same name, the last counts.
  ///   - functions: functions of the program's own. What is wrong with one (`PRE-043`) is reported
  ///     by the plan.
  package init(_ types: [any MigrationPolicy.Type] = [], functions: [ValueFunction] = []) {
    self.functions = FunctionLibrary(registering: PropertyListFunctions.all + functions)
    self.types = Dictionary(types.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  package var names: [String] { types.keys.sorted() }

  subscript(name: String) -> (any MigrationPolicy.Type)? {
    types[name] ?? name.split(separator: ".").last.flatMap { types[String($0)] }
  }

  /// The hooks that an entity mapping's policy has; none without a policy.
  func hooks(of mapping: EntityMapping) -> Set<MigrationHook> {
    mapping.policy.flatMap { self[$0.name.value]?.hooks } ?? []
  }

  /// What an entity mapping's policy needs; nothing without a policy.
  func needs(of mapping: EntityMapping) -> Set<MigrationContext.Need> {
    mapping.policy.flatMap { self[$0.name.value]?.needs } ?? []
  }

  /// A new instance for an entity mapping.
  func makePolicy(for mapping: EntityMapping) throws -> (any MigrationPolicy)? {
    guard let reference = mapping.policy, let type = self[reference.name.value] else { return nil }
    return try type.init(mapping: PolicyMapping(mapping))
  }

  /// What the plan checks mappings against: each policy that the mappings name is made once, and
  /// what its initialiser throws is reported as `MAP-028`.
  func signatures(
    for mappings: [EntityMapping]
  ) -> (signatures: [PolicySignature], diagnostics: Diagnostics) {
    var signatures = types.keys.map { PolicySignature(name: $0) }
    var diagnostics = Diagnostics()
    for mapping in mappings {
      do {
        guard let policy = try makePolicy(for: mapping), let name = mapping.policy?.name.value
        else { continue }
        if let contradiction = contradiction(of: mapping) { diagnostics.append(contradiction) }
        signatures.removeAll { $0.name == name }
        signatures.append(
          PolicySignature(name: name, functionSelectors: policy.functions.keys.sorted()))
      } catch {
        diagnostics.append(
          Diagnostic(
            "MAP-028",
            "the policy “\(mapping.policy?.name.value ?? "")” refuses “\(mapping.name.value)”",
            at: mapping.policy?.name.location, reason: "\(error)"))
      }
    }
    return (signatures, diagnostics)
  }

  /// What a policy says of itself that cannot both be.
  private func contradiction(of mapping: EntityMapping) -> Diagnostic? {
    guard let reference = mapping.policy, let type = self[reference.name.value],
      type.restartsWhenInterrupted, !type.needs.contains(.order)
    else { return nil }
    return Diagnostic(
      "MAP-030",
      "the policy “\(reference.name.value)” restarts when it is interrupted, and does not need the "
        + "order of its objects",
      at: reference.name.location,
      reason: "the first says that its instances remember objects, the other that they do not",
      remedy:
        "add .order to “static let needs” of the policy, or take “restartsWhenInterrupted” away")
  }
}

extension PolicyMapping {
  init(_ mapping: EntityMapping) {
    self.init(
      name: mapping.name.value, sourceEntityName: mapping.sourceEntityName?.value,
      destinationEntityName: mapping.destinationEntityName?.value,
      userInfo: mapping.policy?.userInfo ?? [:])
  }
}
