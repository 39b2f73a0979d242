package import PassageDiagnostics
package import PassageExpressions
package import PassageModels
internal import PassageValues

/// Finds all mistakes in a mapping model, and binds it to its two models.
package struct MappingChecker {
  let model: MappingModel
  let source: Model
  let destination: Model
  let policies: [String: PolicySignature]
  let stepMappings: StepMappings
  let functions: FunctionLibrary
  var diagnostics = Diagnostics()
  /// What was meant by wrong names.
  var similar = SimilarNames()
  /// The elements of which the mapping that is being bound makes objects; `nil` when it makes them of
  /// source objects.
  var elements: BoundElements?

  /// The number of errors after which the check stops.
  static let maximumErrors = 1_000

  /// Checks a mapping model with its models.
  ///
  /// - Parameters:
  ///   - model: the mapping model.
  ///   - source: its source model.
  ///   - destination: its destination model.
  ///   - policies: the registered policies, by name.
  ///   - otherMappings: the entity mappings of the other passes of the step, which relationships
  ///     may refer to by name.
  ///   - functions: the functions that filters and values may call.
  /// - Returns: the bound mapping model, `nil` if there are errors, and all findings: `MAP-010` to
  ///   `MAP-029` of this module, `PRE-` of the expressions.
  package static func check(
    _ model: MappingModel, source: Model, destination: Model, policies: [PolicySignature],
    otherMappings: [EntityMapping] = [], functions: FunctionLibrary = .standard
  ) -> (bound: BoundMapping?, diagnostics: Diagnostics) {
    var checker = MappingChecker(
      model: model, source: source, destination: destination,
      policies: Dictionary(
        policies.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
      otherMappings: otherMappings, functions: functions)
    let bound = checker.bind()
    return (checker.diagnostics.hasErrors ? nil : bound, checker.diagnostics)
  }

  private init(
    model: MappingModel, source: Model, destination: Model, policies: [String: PolicySignature],
    otherMappings: [EntityMapping], functions: FunctionLibrary
  ) {
    self.model = model
    self.source = source
    self.destination = destination
    self.policies = policies
    stepMappings = StepMappings(model.entityMappings, others: otherMappings)
    self.functions = functions
  }

  mutating func bind() -> BoundMapping {
    var names: Set<String> = []
    for mapping in model.entityMappings where !names.insert(mapping.name.value).inserted {
      report(
        "MAP-013", "two entity mappings are named “\(mapping.name.value)”", mapping.name.location,
        remedy: "give one of them another “name”")
    }
    return BoundMapping(
      model: model, source: source, destination: destination,
      // After this many errors, looking for more is of no use.
      entityMappings: model.entityMappings.compactMap {
        diagnostics.errorCount < Self.maximumErrors ? bind($0) : nil
      })
  }

  /// The scope with the settings of the mapping model for all its filters and values.
  func scoped(_ scope: BindingScope) -> BindingScope {
    var scope = scope
    scope.nullSemantics = model.nullSemantics
    scope.variables = model.variables
    return scope
  }

  mutating func bind(_ mapping: EntityMapping) -> BoundEntityMapping {
    let sourceEntity = entity(mapping.sourceEntityName, in: source, "source", "MAP-010")
    let destinationEntity = entity(
      mapping.destinationEntityName, in: destination, "destination", "MAP-011")
    if let destinationEntity, destinationEntity.isAbstract, mapping.policy == nil {
      report(
        "MAP-012", "“\(destinationEntity.name)” is abstract and can have no objects",
        mapping.destinationEntityName?.location,
        remedy: "map to one of its subentities")
    }
    checkPolicy(of: mapping)
    checkRules(of: mapping)
    refuseDrafts(in: mapping)
    var bound = BoundEntityMapping(
      mapping: mapping, source: sourceEntity, destination: destinationEntity, attributes: [],
      relationships: [])
    if let filter = mapping.filter, let sourceEntity {
      var scope = BindingScope.filter(model: source, entity: sourceEntity)
      scope.functions = functions
      bound.filter = keep(
        Result { () throws(Diagnostics) in
          try Binder.predicate(
            FormatParser.predicate(filter.value, at: filter.location),
            in: scoped(scope), at: filter.location)
        })
      if let warnings = bound.filter?.warnings { diagnostics.append(contentsOf: warnings) }
    }
    guard let destinationEntity else { return bound }
    elements = self.elements(of: mapping, sourceEntity)
    defer { elements = nil }
    bound.elements = elements
    bound.merge = merge(of: mapping, sourceEntity)
    bound.addedObjects = addedObjects(of: mapping, destinationEntity)
    checkDuplicates(mapping.attributeMappings + mapping.relationshipMappings)
    let mapping = completed(mapping, sourceEntity, destinationEntity)
    bound.attributes = mapping.attributeMappings.compactMap {
      guard diagnostics.errorCount < Self.maximumErrors else { return nil }
      return attribute($0, of: mapping, sourceEntity, destinationEntity)
    }
    bound.relationships = mapping.relationshipMappings.compactMap {
      guard diagnostics.errorCount < Self.maximumErrors else { return nil }
      return relationship($0, of: mapping, sourceEntity, destinationEntity)
    }
    bound.combinations = combinations(of: mapping, bound.attributes)
    warnOfUnmapped(mapping, destinationEntity)
    warnOfDerived(mapping, sourceEntity, destinationEntity)
    return bound
  }

  /// The properties that a copy mapping has: all that both entities have; those listed in the file
  /// are mapped as listed.
  func completed(
    _ mapping: EntityMapping, _ sourceEntity: Entity?, _ destinationEntity: Entity
  ) -> EntityMapping {
    guard mapping.kind == .copy, let sourceEntity else { return mapping }
    var mapping = mapping
    let listed = Set(
      (mapping.attributeMappings + mapping.relationshipMappings).map(\.name.value))
    func property(_ name: String) -> PropertyMapping {
      var property = PropertyMapping(name: name)
      property.name.location = mapping.name.location
      return property
    }
    for attribute in destination.attributes(of: destinationEntity)
    where attribute.isStored && attribute.derivation == nil && !listed.contains(attribute.name)
      && source.attribute(attribute.name, of: sourceEntity)?.isStored == true
    {
      mapping.attributeMappings.append(property(attribute.name))
    }
    for relationship in destination.relationships(of: destinationEntity)
    where !relationship.isTransient && !listed.contains(relationship.name)
      && source.relationship(relationship.name, of: sourceEntity)?.isTransient == false
    {
      mapping.relationshipMappings.append(property(relationship.name))
    }
    return mapping
  }

  mutating func entity(
    _ name: Located<String>?, in model: Model, _ side: String, _ code: String
  ) -> Entity? {
    guard let name else { return nil }
    if let entity = model.entity(named: name.value) { return entity }
    report(
      code, "the \(side) model “\(model.name)” has no entity “\(name.value)”", name.location,
      remedy: suggestion(name.value, model.entities.map(\.name)))
    return nil
  }

  mutating func checkPolicy(of mapping: EntityMapping) {
    guard let policy = mapping.policy, policies[policy.name.value] == nil else { return }
    let known = policies.keys.sorted()
    report(
      "MAP-019", "no policy is registered as “\(policy.name.value)”", policy.name.location,
      reason: known.isEmpty
        ? "this program has no policies"
        : "the registered policies are: \(known.joined(separator: ", "))",
      remedy: nearest(to: policy.name.value, in: known).map { "did you mean “\($0)”?" }
        ?? "register the policy with the program that migrates")
  }

  mutating func checkDuplicates(_ properties: [PropertyMapping]) {
    var names: Set<String> = []
    for property in properties where !names.insert(property.name.value).inserted {
      report("MAP-014", "“\(property.name.value)” is mapped twice", property.name.location)
    }
  }
}
