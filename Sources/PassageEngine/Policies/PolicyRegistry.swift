package import PassageDiagnostics
package import PassageExpressions
package import PassageMappings

/// The policies and functions that a program has registered, by name. A mapping model can call
/// nothing else.
///
/// A mapping model may name a policy with its module, as in `Shop.OrderPolicy` from Xcode. If no
/// policy is registered under the full name, the part after the last dot is looked up.
package struct PolicyRegistry: Sendable {
  private let types: [String: any MigrationPolicy.Type]

  /// The functions that filters and values may call by name.
  package let functions: FunctionLibrary

  /// The mistakes in registered policies (`MAP-041`) and functions (`PRE-043`).
  let diagnostics: Diagnostics

  /// - Parameters:
  ///   - types: the policies. Two with the same name (`MAP-041`) are reported by the plan; a policy that
  ///     is named twice is one.
  ///   - functions: functions of the program. A mistake in one (`PRE-043`) is reported by the plan.
  package init(_ types: [any MigrationPolicy.Type] = [], functions: [ValueFunction] = []) {
    self.functions = FunctionLibrary(registering: PropertyListFunctions.all + functions)
    var diagnostics = self.functions.diagnostics
    var known: [String: any MigrationPolicy.Type] = [:]
    for type in types {
      let name = type.name
      guard let other = known[name] else {
        known[name] = type
        continue
      }
      if ObjectIdentifier(other) != ObjectIdentifier(type) {
        diagnostics.append(Self.ambiguity(name, other, type))
      }
    }
    self.types = known
    self.diagnostics = diagnostics
  }

  private static func ambiguity(
    _ name: String, _ first: any MigrationPolicy.Type, _ second: any MigrationPolicy.Type
  ) -> Diagnostic {
    Diagnostic(
      "MAP-041", "two policies are named “\(name)”",
      reason: "mapping models refer to policies by name, and “\(_typeName(first))” and "
        + "“\(_typeName(second))” have the same",
      remedy: "give one of them another name with “static let name”")
  }

  package var names: [String] { types.keys.sorted() }

  /// The policy with this name; that of a class of a module is found without the module's name too.
  package subscript(name: String) -> (any MigrationPolicy.Type)? {
    types[name] ?? name.split(separator: ".").last.flatMap { types[String($0)] }
  }

  /// The hooks of an entity mapping's policy; empty without a policy.
  func hooks(of mapping: EntityMapping) -> Set<MigrationHook> {
    mapping.policy.flatMap { self[$0.name.value]?.hooks } ?? []
  }

  /// The needs of an entity mapping's policy; empty without a policy.
  func needs(of mapping: EntityMapping) -> Set<MigrationContext.Need> {
    mapping.policy.flatMap { self[$0.name.value]?.needs } ?? []
  }

  /// What the policy of an entity mapping makes while objects are created.
  func products(of mapping: EntityMapping) -> PolicyProducts {
    let hooks = hooks(of: mapping)
    let creating = hooks.intersection([.begin, .createDestinationInstances, .endInstanceCreation])
    if creating.isEmpty { return .ownObjects }
    let needs = needs(of: mapping)
    // What an instance remembers, its later hooks want to know.
    guard creating == [.createDestinationInstances], !needs.contains(.destinationObjects),
      !needs.contains(.order) || hooks == creating
    else { return .anything }
    return needs.contains(.furtherObjects) ? .furtherObjects : .ownObjects
  }

  /// A new instance for an entity mapping.
  func makePolicy(for mapping: EntityMapping) throws -> (any MigrationPolicy)? {
    guard let reference = mapping.policy, let type = self[reference.name.value] else { return nil }
    return try type.init(mapping: PolicyMapping(mapping))
  }

  /// The signatures against which the plan checks mappings. Each policy that the mappings name is
  /// created once, and an error of its initialiser is reported as `MAP-028`.
  package func signatures(
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

  /// Finds declarations of a policy that contradict each other.
  private func contradiction(of mapping: EntityMapping) -> Diagnostic? {
    guard let reference = mapping.policy, let type = self[reference.name.value],
      type.restartsWhenInterrupted, !type.needs.contains(.order)
    else { return nil }
    return Diagnostic(
      "MAP-030",
      "the policy “\(reference.name.value)” restarts when it is interrupted, but does not need the "
        + "order of its objects",
      at: reference.name.location,
      reason: "the first means that its instances remember objects, the second that they do not",
      remedy:
        "add .order to “static let needs” of the policy, or remove “restartsWhenInterrupted”")
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
