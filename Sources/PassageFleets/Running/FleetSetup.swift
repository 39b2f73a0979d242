package import PassageDiagnostics
package import PassageEngine
internal import PassageFiles
package import PassagePlatform
internal import PassageStores

/// A run over many stores that is checked as far as it can be before anything is written.
package struct FleetSetup: Sendable {
  package let stores: FleetStores
  package let ledger: FleetLedger?
  package private(set) var limits: FleetLimits
  package let ways: FleetWays
  package let places: ResultPlaces
  /// For stores that are not files here.
  private let remote: RemotePlace?
  private let scratch: RemoteScratch?
  package private(set) var warnings: Diagnostics

  /// How the stores are chosen and ordered.
  package struct Choice: Sendable {
    package var shard: Shard?
    package var order = FleetOrder.listed
    /// The stores that come first; `nil` for none.
    package var canary: FleetShare?
    /// The only stores that are wanted; `nil` for all.
    package var isWanted: (@Sendable (String) -> Bool)?
    /// Whether the list is of stores that were there once, of which none need be there now.
    package var mayAllBeMissing = false

    package init() {}
  }

  /// Checks the list, the shard, the results, the ledger and the way.
  ///
  /// - Parameters:
  ///   - list: all stores, those of other shards included.
  ///   - ledgerPath: `nil` for none.
  ///   - remote: how stores are fetched and published; `nil` if they are files.
  /// - Throws: ``MigrationError`` with what is wrong.
  package init(
    _ list: StoreList, _ choice: Choice, places: ResultPlaces, ways: FleetWays,
    limits: FleetLimits, ledgerPath: String?, remote: RemotePlace? = nil
  ) throws {
    self.ways = ways
    self.places = places
    self.limits = limits
    self.limits.isPublishing = remote != nil
    self.remote = remote
    if remote != nil, ways.options.allowed.quarantined > 0 {
      throw StoreList.refusal(
        Diagnostic(
          "FLT-083", "objects of stores that are not files here cannot be quarantined",
          reason: "the file with these objects would be removed with the scratch folder",
          remedy: "leave --max-quarantined out, or migrate these stores as files"))
    }
    try ways.check()
    try places.check(list)
    var keptStoresFolder: String?
    if remote == nil, case .inPlace = places {
      keptStoresFolder = try Self.keptStoresFolder(ways.options)
    }
    if let ledgerPath {
      if remote == nil { try places.checkLedger(ledgerPath, list.names) }
      let ledger = DestinationCheck(destination: StoreUnit(path: ledgerPath))
      if let refusal = ledger.foreignName { throw StoreList.refusal(refusal) }
    }
    var stores = try FleetStores(
      list, shard: choice.shard, areFiles: remote == nil, mayAllBeMissing: choice.mayAllBeMissing,
      keptStoresFolder: keptStoresFolder)
    warnings = stores.warnings
    if let isWanted = choice.isWanted { stores.keep(isWanted) }
    stores.apply(choice.order)
    stores.canaryCount = choice.canary?.some(of: stores.count) ?? 0
    self.stores = stores
    scratch = try remote.map { place throws(MigrationError) in
      try RemoteScratch(in: place.scratch, files: FileSystem())
    }
    ledger = try ledgerPath.map { path throws(MigrationError) in
      try FleetLedger(path, plan: ways.plan, shard: choice.shard?.text)
    }
    warnings.append(contentsOf: ledger?.warnings ?? Diagnostics())
    if remote == nil { try checkFirstWay() }
  }

  /// The folder for old stores; `nil` if none are kept, or each beside its store. One that does not exist is
  /// refused: every store would fail.
  private static func keptStoresFolder(
    _ options: MigrationOptions
  ) throws(MigrationError) -> String? {
    guard options.oldStore == .keep, let folder = options.keptStoresFolder?.path else { return nil }
    guard FileSystem().isDirectory(folder) else {
      throw StoreList.refusal(KeptStores.missingFolder(folder))
    }
    return folder
  }

  /// So many stores are looked at for one that can be read.
  private static let firstStores = 20

  /// Refuses a project or a mapping model that is wrong for the first store that can be read: it is
  /// probably wrong for many.
  private func checkFirstWay() throws {
    let first = (0..<stores.count).lazy.map { stores.name(at: $0) }
      .filter { (try? FileSystem.status($0))?.kind == .file }.prefix(Self.firstStores)
    for name in first {
      do {
        _ = try ways.way(ofStoreAt: name)
        return
      } catch {
        let refusal = MigrationError(error, store: name)
        // A store that is no store is its own failure.
        guard refusal.kind == .wrongFile,
          !refusal.diagnostics.errors.contains(where: { $0.code.hasPrefix("STO-") })
        else { continue }
        throw MigrationError(.wrongFile, refusal.diagnostics, diskState: "nothing was written")
      }
    }
  }

  /// Migrates the stores; see ``FleetRun``.
  ///
  /// - Parameter processors: those among which the stores are divided; by default that is left to the
  ///   system. Only a program may give them, not a library: threads that a policy begins while its store
  ///   is migrated are bound to one of them too, and stay so.
  package func run(
    on processors: Processors = Processors(numbers: []), control: RunControl,
    progress: @escaping @Sendable (FleetProgress) -> Void,
    tell: @escaping @Sendable (FleetResult) -> Void
  ) -> FleetRun.End {
    // A run that does not ask for all processors leaves it to the system which ones it gets, and so does
    // one whose commands, as processes of their own, would inherit one of them.
    let isDivided = remote == nil && limits.jobs >= processors.count
    let lanes = isDivided ? max(1, processors.count) : 1
    let group = SyncGroup(limit: limits.group, slots: limits.jobs, lanes: lanes)
    let spares = SpareFolders(limit: limits.window)
    let files = FileSystem(
      syncs: group, keptNames: NameBeginnings(mark: KeptName.mark(.before)),
      stems: NameBeginnings(mark: "."), spareFolders: spares)
    defer { scratch?.remove() }
    var end = FleetRun(
      stores, limits: limits, group: group, control: control, ledger: ledger,
      processors: processors, work: work(group, files), progress: progress, tell: tell
    ).run()
    spares.removeAll(files)
    for path in spares.leftPaths {
      end.warnings.append(
        Diagnostic(
          "RUN-052", "the work folder was not removed", severity: .warning,
          at: SourceLocation(file: path), reason: "the migration that used it last has ended well",
          remedy: "run the same command again, or remove the folder"))
    }
    return end
  }

  private func work(_ group: SyncGroup, _ files: FileSystem) -> FleetRun.Work {
    if let remote, let scratch {
      let job = RemoteJob(ways: ways, commands: remote.commands, scratch: scratch, group: group)
      return { try job.run($0, control: $1, notes: &$2) }
    }
    let job = StoreJob(ways: ways, places: places, files: files)
    return { try job.run($0, control: $1, notes: &$2) }
  }
}
