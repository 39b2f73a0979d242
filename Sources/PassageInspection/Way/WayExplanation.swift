internal import PassageDiagnostics
package import PassageEngine
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
package import PassagePlanning
internal import PassageQueries
package import PassageStores
internal import PassageValues

/// Tells what a step makes of one object, and of which object it makes one. Nothing is written, and no
/// policy is called.
package struct WayExplanation {
  private let steps: [PlannedStep]
  private let step: PlannedStep
  private let reader: ObjectReader
  private let keys: KeyPlan
  private let places: [(pass: BoundMapping, mapping: BoundEntityMapping)]

  /// A link's ends beyond this number are only counted.
  private static let maximumEnds = 10

  /// - Parameters:
  ///   - steps: the steps of the plan; at least one.
  ///   - store: the store that they read.
  ///   - policies: the registered policies, of which only what they declare matters.
  ///   - now: the value of `now()`, in seconds since 2001-01-01 UTC.
  /// - Throws: `Diagnostics` with `STO-318` for an expression that uses values which may be in files, as
  ///   a run refuses it; `StoreError` when the store is not of the first step's model, or damaged.
  package init(
    _ steps: [PlannedStep], store: OpenStore, policies: PolicyRegistry, now: Double
  ) throws {
    let refusals = ExternalUse.refusals(in: steps)
    if refusals.hasErrors { throw refusals }
    self.steps = steps
    step = steps[0]
    let layout = try store.layout(of: step.source)
    try store.connection.registerExpressionFunctions(policies.functions)
    reader = ObjectReader(store: store, model: step.source, layout: layout, now: now)
    keys = try KeyPlan(step, store: store, layout: layout, policies: policies, now: now)
    places = step.passes.flatMap { pass in pass.entityMappings.map { (pass, $0) } }
  }

  // MARK: Forward

  /// What becomes of an object.
  ///
  /// - Throws: `SEL-001` for an entity that the model does not have, `CMD-073` for an object that
  ///   the store does not have.
  package func way(ofEntity name: String, key: Int64) throws -> ObjectWay {
    let entity = try self.entity(name, in: reader.model)
    guard try reader.exists(entity, key) else { throw missing(name, key) }
    let candidates = try places.indices.filter { places[$0].mapping.source?.name == entity.name }
      .map { try candidate($0, entity, key) }
    return ObjectWay(
      entity: entity.name, key: key, source: step.source.name,
      destination: step.destination.name, candidates: candidates,
      laterVersions: steps.dropFirst().map(\.destination.name))
  }

  private func candidate(
    _ position: Int, _ entity: Entity, _ key: Int64
  ) throws -> ObjectWay.Candidate {
    let (pass, mapping) = places[position]
    let conditions = (mapping.filter?.conjuncts ?? []).map { condition($0, entity, key) }
    var candidate = ObjectWay.Candidate(
      mappingModel: pass.model.name, mapping: mapping.name, kind: mapping.mapping.kind.rawValue,
      destination: mapping.destination?.name, policy: mapping.mapping.policy?.name.value,
      isTaking: Self.all(conditions), conditions: conditions)
    guard candidate.isTaking != false, mapping.destination != nil else { return candidate }
    candidate.isUpToPolicy = keys.isUpToPolicy(position)
    switch keys.key(position, of: key) {
    case .at(let new): candidate.key = new
    case .told(let reason): candidate.keyReason = reason
    case .none: break
    }
    candidate.attributes = mapping.attributes.map { attribute($0, mapping, entity, key) }
    candidate.links = try mapping.relationships.map { try link($0, mapping, entity, key) }
    return candidate
  }

  private func condition(
    _ part: BoundPredicate, _ entity: Entity, _ key: Int64
  ) -> ObjectWay.Condition {
    do {
      return ObjectWay.Condition(text: part.text, holds: try reader.holds(part, entity, key))
    } catch {
      return ObjectWay.Condition(text: part.text, reason: Self.reason(error))
    }
  }

  /// Whether all hold; `nil` when one cannot be evaluated and no other is false.
  private static func all(_ conditions: [ObjectWay.Condition]) -> Bool? {
    if conditions.contains(where: { $0.holds == false }) { return false }
    return conditions.contains { $0.holds == nil } ? nil : true
  }

  private func attribute(
    _ bound: BoundAttribute, _ mapping: BoundEntityMapping, _ entity: Entity, _ key: Int64
  ) -> ObjectWay.AttributeValue {
    let mapped = mapping.mapping.attributeMappings.first { $0.name.value == bound.attribute.name }
    var text = "$source.\(bound.attribute.name)"
    if case .expression(let written)? = mapped?.source { text = written.value }
    if let fallback = mapped?.fallback { text += ", or \(fallback.value) for nil" }
    var result = ObjectWay.AttributeValue(name: bound.attribute.name, expression: text)
    if mapping.elements != nil {
      result.reason = "it is another for each element"
    } else if mapping.merge != nil {
      result.reason = "objects of equal value become one, whose value may be another's"
    } else if bound.value.callsPolicy || bound.fallback?.callsPolicy == true {
      result.reason = "a function of the policy gives it"
    } else {
      do {
        var value = try reader.value(bound.value, entity, key)
        if value.isNull, let fallback = bound.fallback {
          value = try reader.value(fallback, entity, key)
        }
        result.value = value
      } catch {
        result.reason = Self.reason(error)
      }
    }
    return result
  }

  private func link(
    _ bound: BoundRelationship, _ mapping: BoundEntityMapping, _ entity: Entity, _ key: Int64
  ) throws -> ObjectWay.Link {
    var link = ObjectWay.Link(
      name: bound.relationship.name, path: nil, ends: [], count: 0)
    guard bound.selection == nil, mapping.elements == nil else {
      link.reason = "an expression selects the objects"
      return link
    }
    link.path =
      bound.path.isEmpty
      ? "the object itself" : "$source." + bound.path.map(\.name).joined(separator: ".")
    let found = try reader.keys(along: bound.path, from: entity, key)
    link.count = found.count
    let candidates = keys.candidates(bound)
    link.ends = try found.prefix(Self.maximumEnds).flatMap { try ends($0, bound, candidates) }
    return link
  }

  /// What the source object at a key became, by each mapping that takes it.
  private func ends(
    _ key: Int64, _ bound: BoundRelationship, _ candidates: [Int]
  ) throws -> [ObjectWay.Link.End] {
    var ends: [ObjectWay.Link.End] = []
    let family = reader.model.family(of: bound.pathEnd)
    guard let entity = try family.first(where: { try reader.exists($0, key) }) else {
      return [ObjectWay.Link.End(sourceEntity: bound.pathEnd.name, sourceKey: key, exists: false)]
    }
    for position in candidates where places[position].mapping.source?.name == entity.name {
      let mapping = places[position].mapping
      if let filter = mapping.filter, (try? reader.holds(filter, entity, key)) == false { continue }
      var end = ObjectWay.Link.End(
        sourceEntity: entity.name, sourceKey: key, mapping: mapping.name)
      if case .at(let new) = keys.key(position, of: key) { end.key = new }
      ends.append(end)
    }
    return ends.isEmpty
      ? [ObjectWay.Link.End(sourceEntity: entity.name, sourceKey: key)] : ends
  }

  // MARK: Backward

  /// Of which source object an object of the migrated store was made. Only a plan of one step tells.
  ///
  /// - Parameter made: the migrated store.
  /// - Throws: `SEL-001`, `CMD-073` as for ``way(ofEntity:key:)``; `CMD-074` for several steps.
  package func origin(
    ofEntity name: String, key: Int64, in made: OpenStore
  ) throws -> ObjectOrigin {
    guard steps.count == 1 else {
      throw Diagnostic(
        "CMD-074", "the origin of an object cannot be told over \(steps.count) steps",
        reason: "the stores between the steps are gone, and the keys in them with them",
        remedy: "name one step: --to VERSION, with the store that it made")
    }
    let entity = try self.entity(name, in: step.destination)
    let reader = ObjectReader(
      store: made, model: step.destination, layout: try made.layout(of: step.destination),
      now: self.reader.now)
    guard try reader.exists(entity, key) else { throw missing(name, key) }
    let candidates = try places.indices.filter { places[$0].mapping.destination?.name == name }
      .compactMap { try origin($0, key) }
    return ObjectOrigin(
      entity: name, key: key, source: step.source.name, destination: step.destination.name,
      candidates: candidates)
  }

  private func origin(_ position: Int, _ key: Int64) throws -> ObjectOrigin.Candidate? {
    let (pass, mapping) = places[position]
    var candidate = ObjectOrigin.Candidate(
      mappingModel: pass.model.name, mapping: mapping.name,
      sourceEntity: mapping.source?.name ?? "")
    candidate.reason = keys.reason(position)
    if candidate.reason != nil { return candidate }
    guard let source = mapping.source, let old = keys.sourceKey(position, of: key),
      try reader.exists(source, old)
    else { return nil }
    if let filter = mapping.filter, (try? reader.holds(filter, source, old)) == false {
      return nil
    }
    candidate.sourceKey = old
    return candidate
  }

  // MARK: Mistakes

  private func entity(_ name: String, in model: Model) throws -> Entity {
    if let entity = model.entity(named: name) { return entity }
    let names = model.entities.map(\.name)
    throw Diagnostic(
      "SEL-001", "the model has no entity “\(name)”",
      reason: names.isEmpty ? "it has no entities at all" : nil,
      remedy: nearest(to: name, in: names).map { "did you mean “\($0)”?" }
        ?? (names.isEmpty ? nil : "it has \(names.sorted().prefix(20).joined(separator: ", "))"))
  }

  private func missing(_ name: String, _ key: Int64) -> Diagnostic {
    Diagnostic(
      "CMD-073", "the store has no object of “\(name)” with the key \(key)",
      reason: "an object of a subentity is one of the subentity alone",
      remedy: "list the keys: migrate select --store FILE --entity \(ShellText.word(name)) --keys")
  }

  private static func reason(_ error: any Error) -> String {
    (error as? Diagnostic)?.message ?? "\(error)"
  }
}
