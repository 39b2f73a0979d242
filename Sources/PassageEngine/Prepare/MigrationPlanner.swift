internal import PassageDiagnostics
internal import PassageFiles
internal import PassageMappings
internal import PassageModels
internal import PassagePages
internal import PassagePlanning
internal import PassageQueries
internal import PassageStores

/// Makes the printable plan of checked steps.
struct MigrationPlanner {
  let steps: [PlannedStep]
  let source: SourceStore
  let destinationPath: String
  let isUpToDate: Bool
  let companions: StoreCompanions
  let warnings: Diagnostics
  let options: MigrationOptions
  /// Whether objects may be made page by page, for each step.
  let usesPages: [Bool]
  let policies: PolicyRegistry
  let files: FileSystem

  func plan() throws -> MigrationPlan {
    let lanesOfSteps = try zip(steps, usesPages).enumerated().map { index, item in
      LaneChoice(
        isForcedToRows: options.isForcedToRows,
        comparisonObstacle: try source.comparisonObstacle(ofStep: index, item.0.source),
        usesPages: item.1)
    }
    let unsound = unsoundness()
    var counts: [String: Int64] = [:]
    if let first = steps.first {
      counts = try source.counts(first.source, pages: source.makePageCount(options)).byEntity
    }
    let planned = zip(steps, lanesOfSteps).enumerated().map { index, item in
      let (step, lanes) = item
      return MigrationPlan.Step(
        source: step.source.name, destination: step.destination.name,
        passes: step.passes.map { pass in
          MigrationPlan.Pass(
            name: pass.model.name, isInferred: pass.model.isInferred,
            mappings: zip(
              pass.entityMappings, lanes.obstaclesToPages(in: pass, products: policies.products)
            ).map {
              mapping(
                $0, lanes, obstacle: $1 ?? (index == 0 ? unsound : nil),
                counts: index == 0 ? counts : nil)
            })
        })
    }
    let folder = StoreUnit(path: destinationPath).folder
    let freeBytes = try files.freeBytes(at: folder)
    let estimate =
      steps.isEmpty
      ? nil
      : DiskEstimate(
        steps: steps, sourceBytes: source.totalBytes, isForeign: source.type != nil,
        isConverted: options.output.type != nil, counts: counts)
    // A run continues the work that is there, or removes it.
    let left = Workspace.leftBytes(ofDestination: destinationPath, files: files)
    var warnings = warnings
    if let warning = estimate?.warning(
      freeBytes: freeBytes.saturatingAdd(left), inFolder: folder)
    {
      warnings.append(warning)
    }
    return MigrationPlan(
      storePath: source.path, destinationPath: destinationPath, isUpToDate: isUpToDate,
      steps: planned, objects: counts.values.reduce(0, +), bytes: source.totalBytes,
      neededBytes: max(0, (estimate?.neededBytes ?? 0) - left), freeBytes: freeBytes,
      companions: companions, warnings: warnings)
  }

  /// Why the pages of the source cannot be read without SQLite; `nil` when they can.
  private func unsoundness() -> String? {
    guard usesPages.first == true, source.type == nil else { return nil }
    // What else may be wrong with the file is told by the run.
    guard case .failure(let unsound as Unsoundness) = source.pageReader() else { return nil }
    return "the source's pages are left to SQLite: \(unsound)"
  }

  private func mapping(
    _ bound: BoundEntityMapping, _ lanes: LaneChoice, obstacle: String?,
    counts: [String: Int64]?
  ) -> MigrationPlan.Mapping {
    var lane = MigrationPlan.Lane.page
    var reason: String?
    if obstacle != nil {
      switch lanes.lane(of: bound) {
      case .set: (lane, reason) = (.set, lanes.usesPages ? obstacle : nil)
      case .row(let text): (lane, reason) = (.row, text)
      }
    }
    return MigrationPlan.Mapping(
      name: bound.name, kind: MigrationPlan.Kind(bound.mapping.kind), source: bound.source?.name,
      destination: bound.destination?.name, filter: bound.mapping.filter?.value,
      filterParts: lanes.filterParts(of: bound, isByPages: obstacle == nil).map {
        MigrationPlan.FilterPart(text: $0.text, isInSQL: $0.reason == nil, reason: $0.reason)
      },
      forEach: bound.mapping.forEach?.value, mergeBy: bound.mapping.merge?.value.value,
      keep: bound.mapping.merge?.kept.rawValue, listedObjects: bound.addedObjects.count,
      policy: bound.mapping.policy?.name.value, lane: lane, reason: reason,
      objects: bound.source.flatMap { counts?[$0.name] })
  }
}

extension MigrationPlan.Kind {
  /// Converts the type of an entity mapping.
  fileprivate init(_ kind: EntityMapping.Kind) {
    self =
      switch kind {
      case .add: .add
      case .remove: .remove
      case .copy: .copy
      case .transform: .transform
      case .custom: .custom
      }
  }
}

extension MigrationPlan {
  /// The plan for a store that already has the destination model.
  ///
  /// - Throws: `StoreError` when the store does not exist or the free disk space cannot be read.
  package init(upToDateStoreAt path: String) throws {
    let files = FileSystem()
    let store = StoreUnit(path: files.resolved(path))
    self.init(
      storePath: path, destinationPath: path, isUpToDate: true, steps: [], objects: 0,
      bytes: store.totalBytes, neededBytes: 0, freeBytes: try files.freeBytes(at: store.folder),
      companions: StoreCompanions(), warnings: Diagnostics())
  }
}
