internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
package import PassagePlanning
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The values of a step's source of which a count of its rows tells that they are not kept: those of
/// properties that nothing in the step uses, and numbers that are copied to a type that cannot hold them.
package struct UnreadValues: Sendable {
  /// The properties of one source entity.
  struct Part: Sendable {
    /// The first entity mapping that migrates the entity, or the one that copies numbers, by its position
    /// in the step.
    var mappingPlan: Int
    var mapping: BoundEntityMapping
    var entity: Entity
    /// The filters of the mappings that migrate the entity; empty when all objects are taken.
    var filters: [BoundPredicate]
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
    /// To-one relationships that only their to-one inverse keeps. A source stores the links of both sides, and
    /// damage can make them differ.
    var mirrored: [Relationship] = []
    /// The numbers that the mapping copies to a narrower type.
    var narrowed: [NarrowedNumber] = []

    var isEmpty: Bool {
      attributes.isEmpty && relationships.isEmpty && mirrored.isEmpty && narrowed.isEmpty
    }
  }

  /// One loss, and the entity mapping whose account reports it.
  struct Item {
    var mappingPlan: Int
    var loss: ValueLoss
  }

  let step: PlannedStep
  private let number: Int
  let policies: PolicyRegistry
  private(set) var parts: [Part] = []

  /// - Parameters:
  ///   - number: the step's number, from 1.
  ///   - computed: the numbers that are counted where they are written.
  package init(
    of step: PlannedStep, number: Int, policies: PolicyRegistry, computed: ComputedNumbers
  ) {
    self.step = step
    self.number = number
    self.policies = policies
    let mappingPlans = step.passes.flatMap { pass in
      pass.entityMappings.map { (mapping: $0, isInferred: pass.model.isInferred) }
    }
    let use = PropertyUse(of: step, policies: policies)
    for entity in step.source.entities {
      let readers = mappingPlans.enumerated().filter { $1.mapping.source?.name == entity.name }
      let takers = readers.filter { $1.mapping.destination != nil }
      // An author's remove mapping states that its objects are dropped; an inferred one does not.
      guard
        let first = takers.first
          ?? readers.first(where: { $1.isInferred && $1.mapping.mapping.kind == .remove }),
        !takers.contains(where: { policies.isUseUnknown(of: $1.mapping) })
      else { continue }
      let filters = takers.map(\.element.mapping.filter)
      var part = Part(
        mappingPlan: first.offset, mapping: first.element.mapping, entity: entity,
        filters: filters.contains { $0 == nil } ? [] : filters.compactMap(\.self))
      part.attributes = step.source.attributes(of: entity).filter {
        $0.isStored && $0.derivation == nil && !use.contains($0.name, of: entity)
      }
      part.relationships = step.source.relationships(of: entity).filter {
        !$0.isTransient && !use.contains($0.name, of: entity)
      }
      part.mirrored = step.source.relationships(of: entity).filter {
        !$0.isTransient && !$0.isToMany && use.isMirrored($0.name, of: entity)
          && step.source.inverse(of: $0)?.isToMany == false
      }
      if !part.isEmpty { parts.append(part) }
    }
    for (position, plan) in mappingPlans.enumerated() {
      let narrowed = NarrowedNumber.all(of: plan.mapping, except: computed)
      guard let entity = plan.mapping.source, !narrowed.isEmpty else { continue }
      parts.append(
        Part(
          mappingPlan: position, mapping: plan.mapping, entity: entity,
          filters: plan.mapping.filter.map { [$0] } ?? [], narrowed: narrowed))
    }
    parts.sort { $0.mappingPlan < $1.mappingPlan }
  }

  var isEmpty: Bool { parts.isEmpty }

  /// All of the properties, without counts.
  package var uncounted: [ValueLoss] {
    parts.flatMap { part in
      (part.attributes.map(\.name) + part.relationships.map(\.name)).map {
        item(part, $0, nil).loss
      }
    }
  }

  func item(
    _ part: Part, _ property: String, _ count: Int64?, _ reason: ValueLoss.Reason = .unread
  ) -> Item {
    let entity = reason == .narrowed ? part.mapping.destination ?? part.entity : part.entity
    return Item(
      mappingPlan: part.mappingPlan,
      loss: ValueLoss(
        reason: reason, step: number, mapping: part.mapping.name, entity: entity.name,
        property: property, count: count))
  }
}
