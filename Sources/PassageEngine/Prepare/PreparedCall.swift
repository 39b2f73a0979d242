internal import PassageDiagnostics
internal import PassageExpressions
package import PassageMappings
package import PassageModels
internal import PassagePlanning
internal import PassageStores
internal import Synchronization

/// What is the same for every store that a call migrates: the checked steps, with every predicate
/// and expression bound, the digests that identify the call, and the empty stores that its passes
/// begin with.
package final class PreparedCall: Sendable {
  let steps: [PlannedStep]
  /// Findings about the mapping models, none of them an error.
  let findings: Diagnostics
  let call: RecordedCall
  let images: StoreImages
  /// The layout of each step's source model, before it is fitted to a store.
  let sourceLayouts: [StoreLayout]
  /// The layout of each step's destination model.
  let destinationLayouts: [StoreLayout]
  /// Each step's destination model as a store keeps it.
  let destinationArchives: [ModelArchive]
  /// What no step's source keeps, before it is counted.
  let unreadValues: [UnreadValues]
  /// By step.
  let computedNumbers: [ComputedNumbers]
  /// What makes the stores of the models impossible to read completely or to write.
  let unsupported: Diagnostics
  /// The ways of the entity mappings, by step and by what else decides them.
  private let ways = Mutex<[WaysKey: [MappingWay]]>([:])

  private struct WaysKey: Hashable {
    var step: Int
    var lanes: LaneChoice
  }

  /// Checks and plans a list of mapping models.
  ///
  /// - Parameters:
  ///   - mappings: the mapping models, in the order in which they run.
  ///   - models: every model that mapping models may name, by name.
  ///   - policies: the policies that mapping models may name.
  ///   - options: how the migrations are carried out.
  /// - Throws: ``MigrationError`` with all mistakes in models that were made in code, otherwise with all in
  ///   mapping models and policies; their codes give its class.
  package init(
    _ mappings: [MappingModel], models: [String: Model], policies: PolicyRegistry,
    options: MigrationOptions
  ) throws {
    try models.values.refuseMistakes()
    let (signatures, refusals) = policies.signatures(for: mappings.flatMap(\.entityMappings))
    var findings = policies.diagnostics
    findings.append(contentsOf: refusals)
    var steps: [PlannedStep] = []
    do throws(Diagnostics) {
      let planned = try Planner.plan(
        mappings, models: models, policies: signatures, functions: policies.functions)
      steps = planned.steps
      findings.append(contentsOf: planned.warnings)
    } catch {
      findings.append(contentsOf: error)
    }
    if findings.hasErrors { throw MigrationError(findings) }
    for mapping in mappings {
      findings.append(
        contentsOf: mapping.isInferred ? Self.remarks(aboutInferred: mapping) : mapping.remarks)
    }
    guard !steps.isEmpty else {
      throw MigrationError(.bug, Diagnostic("RUN-099", "a plan without steps"))
    }
    if !options.allowed.losses.allowsAnything {
      let mappings = steps.flatMap { step in step.passes.flatMap(\.entityMappings) }
      let unknown = mappings.filter { !policies.areLossesKnown(of: $0) }
      if !unknown.isEmpty {
        findings.append(
          LossFindings.unknown(
            unknown.map(\.name), isUseUnknown: unknown.contains(where: policies.isUseUnknown),
            areLinksDecided: unknown.contains(where: policies.areLinksDecided)))
      }
    }
    self.steps = steps
    self.findings = findings
    call = RecordedCall(steps: steps, options: options, policies: policies)
    images = StoreImages()
    sourceLayouts = steps.map { StoreLayout(model: $0.source) }
    destinationLayouts = steps.map { StoreLayout(model: $0.destination) }
    destinationArchives = steps.map { ModelArchive($0.destination) }
    let computedNumbers = steps.map { ComputedNumbers(of: $0) }
    self.computedNumbers = computedNumbers
    unreadValues = steps.enumerated().map {
      UnreadValues(of: $1, number: $0 + 1, policies: policies, computed: computedNumbers[$0])
    }
    unsupported = Self.unsupported(steps, sourceLayouts, destinationLayouts)
  }

  /// The ways of a step's entity mappings, in the order of passes.
  ///
  /// - Parameter policies: those that the call was prepared with.
  func ways(ofStep index: Int, _ lanes: LaneChoice, _ policies: PolicyRegistry) -> [MappingWay] {
    ways.withLock { ways in
      let key = WaysKey(step: index, lanes: lanes)
      if let known = ways[key] { return known }
      let found = policies.ways(of: steps[index].passes, lanes)
      ways[key] = found
      return found
    }
  }

  private static func unsupported(
    _ steps: [PlannedStep], _ sources: [StoreLayout], _ destinations: [StoreLayout]
  ) -> Diagnostics {
    var findings = Diagnostics()
    var names: Set<String> = []
    for (step, layouts) in zip(steps, zip(sources, destinations)) {
      if names.insert(step.source.name).inserted {
        findings.append(contentsOf: step.source.unreadableAttributes)
        // Nothing of the store that is there is to be written.
        findings.append(
          contentsOf: Diagnostics(layouts.0.unsupported.errors.filter { $0.code != "STO-205" }))
      }
      if names.insert(step.destination.name).inserted {
        findings.append(contentsOf: Diagnostics(layouts.1.unsupported.errors))
      }
    }
    return findings
  }

  private static func remarks(aboutInferred mapping: MappingModel) -> Diagnostics {
    var findings = Diagnostics([
      Diagnostic(
        "INF-100",
        "the mapping model from “\(mapping.source.value)” to “\(mapping.destination.value)” was "
          + "inferred", severity: .note)
    ])
    findings.append(contentsOf: mapping.remarks)
    for entity in mapping.entityMappings where entity.kind == .remove {
      findings.append(
        Diagnostic(
          "INF-101",
          "the objects of “\(entity.sourceEntityName?.value ?? "")” are not migrated",
          severity: .warning, reason: "“\(mapping.destination.value)” has no such entity",
          remedy: "write a mapping model if they are to become something else"))
    }
    return findings
  }
}

extension PolicyRegistry {
  /// The ways of a step's entity mappings, in the order of passes.
  func ways(of passes: [BoundMapping], _ lanes: LaneChoice) -> [MappingWay] {
    MappingWay.all(
      of: passes, lanes: lanes, hooks: { hooks(of: $0) }, products: { products(of: $0) })
  }
}
