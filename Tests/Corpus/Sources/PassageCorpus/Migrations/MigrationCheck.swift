internal import Passage

/// Migrates stores: those of the named migrations, and every store to the newest version of its series
/// that inference reaches.
struct MigrationCheck {
  let folder: CorpusFolder
  let pool: ModelPool
  let mappings: [String: MappingModel]
  /// Whether a named migration whose files are absent is a finding.
  let isComplete: Bool

  func run(_ cases: [MigrationCase], _ report: inout Report) async {
    var results: [String: MigratedStore] = [:]
    for named in cases {
      guard named.isPresent(in: folder, mappings) else {
        if isComplete {
          report.fail(.migrations, named.store, "\(named.name): a file it needs is not here")
        }
        continue
      }
      do {
        if let result = try await run(named, results, &report) { results[named.name] = result }
      } catch {
        report.fail(.migrations, named.store, "\(named.name): \(error)")
      }
    }
    // What a named migration has shown already.
    let known = Set(
      cases.filter { ($0.mappings ?? []).isEmpty && results[$0.name] != nil }
        .map { [$0.store, $0.to] })
    for store in folder.paths(.store) { await runInference(store, known, &report) }
  }

  // MARK: Named

  private func run(
    _ named: MigrationCase, _ results: [String: MigratedStore], _ report: inout Report
  ) async throws -> MigratedStore? {
    let versions = pool.versions(of: named.models).map(\.model)
    let hashes = try StoreCopy.read(folder.location(named.store)) {
      try StoreRecord(path: $0).hashes
    }
    guard let first = versions.firstIndex(where: { $0.versionHashes == hashes }),
      let last = versions.firstIndex(where: { $0.name == named.to })
    else {
      report.fail(.migrations, named.store, "\(named.name): the series lacks one of its models")
      return nil
    }
    let route = try MigrationRoute(
      through: versions, from: first, to: last,
      given: (named.mappings ?? []).compactMap { mappings[$0] },
      isStepwise: named.isStepwise ?? false)
    var twins: [(title: String, path: String)] = []
    if let name = named.sameAs {
      guard let twin = results[name] else {
        report.fail(.migrations, named.store, "\(named.name): \(name) gave no store")
        return nil
      }
      twins.append((name, twin.path))
    }
    var oracle: StoreCopy?
    if let store = named.sameAsStore {
      let copy = try StoreCopy(of: folder.location(store))
      twins.append(("Core Data's own \(store)", copy.path))
      oracle = copy
    }
    let outcome = try await MigrationRunner(
      name: named.name, route: route, store: folder.location(named.store)
    ).run(rows: named.rows ?? [], twins: twins)
    withExtendedLifetime(oracle) {}
    record(outcome, item: named.store, &report)
    return outcome.migrated
  }

  // MARK: By inference

  /// Migrates a store straight to the newest version that can be inferred from its own.
  private func runInference(
    _ store: String, _ known: Set<[String]>, _ report: inout Report
  ) async {
    do {
      let hashes = try StoreCopy.read(folder.location(store)) { try StoreRecord(path: $0).hashes }
      guard let entry = pool.models(hashes: hashes, near: store).first else { return }
      let versions = pool.versions(of: entry.item).map(\.model)
      guard let first = versions.lastIndex(where: { $0.versionHashes == hashes }) else { return }
      for last in versions.indices.reversed() where last > first {
        if known.contains([store, versions[last].name]) { return }
        let name = "\(store) to \(versions[last].name)"
        do {
          let route = try MigrationRoute(through: versions, from: first, to: last)
          let outcome = try await MigrationRunner(
            name: name, route: route, store: folder.location(store)
          ).run(rows: [], twins: [])
          record(outcome, item: store, &report)
          return
        } catch let refusal as Diagnostics {
          report.fail(.inferences, "\(store):\(versions[last].name)", "\(refusal)")
        }
      }
    } catch {
      report.fail(.migrations, store, "\(error)")
    }
  }

  private func record(
    _ outcome: MigrationRunner.Outcome, item: String, _ report: inout Report
  ) {
    report.add(outcome.line)
    let objects = Int(outcome.line.objects)
    if outcome.mistakes.isEmpty {
      report.pass(.migrations, item)
      report.pass(.objects, item, count: objects)
    } else {
      let text = outcome.mistakes.prefix(5).joined(separator: "\n")
      report.fail(.migrations, item, "\(outcome.line.name): \(text)")
      report.fail(.objects, item, "\(outcome.line.name): \(text)", count: objects)
    }
  }
}

extension MigrationCase {
  /// Whether everything the migration needs is in a folder.
  fileprivate func isPresent(in folder: CorpusFolder, _ mappings: [String: MappingModel]) -> Bool {
    let paths = Set(folder.items.map(\.path))
    return paths.contains(store) && paths.contains(models)
      && (self.mappings ?? []).allSatisfy { paths.contains($0) }
      && sameAsStore.map { paths.contains($0) } ?? true
  }
}
