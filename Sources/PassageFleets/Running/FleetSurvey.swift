internal import Dispatch
internal import PassageDiagnostics
package import PassageEngine
internal import PassageFiles
internal import Synchronization

/// Looks at the stores of a fleet on several threads. Nothing is written.
package struct FleetSurvey: Sendable {
  /// What a store is found to be.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// A run would find nothing to do.
    case done
    /// A run would migrate it.
    case toDo
    /// No known model has its version hashes.
    case unknown
    case damaged
    /// Nothing is at the path.
    case missing
    /// It cannot be read, or not be migrated, for another reason.
    case other
  }

  /// What was found.
  package struct Totals: Sendable {
    package var counts: [State: Int] = [:]
    /// The first stores of each state but ``State/done``, in the order of the list.
    package var examples: [State: [String]] = [:]
    /// Why stores are not done or to do, by code.
    package var failures = FleetTotals()
    /// Whether the work was stopped before every store was looked at.
    package var left = 0

    package func count(_ state: State) -> Int { counts[state] ?? 0 }

    /// The stores that a run cannot migrate.
    package var unreadable: Int {
      [.unknown, .damaged, .missing, .other].reduce(0) { $0 + count($1) }
    }
  }

  /// So many stores of each state are named.
  package static let maximumExamples = 1_000

  private struct Progress {
    var next = 0
    var totals = Totals()
    var found: [State: [(place: Int, name: String)]] = [:]
  }

  private let stores: FleetStores
  private let job: StoreJob
  private let jobs: Int

  /// - Parameter jobs: the number of threads.
  package init(_ stores: FleetStores, ways: FleetWays, places: ResultPlaces, jobs: Int) {
    self.stores = stores
    job = StoreJob(ways: ways, places: places, files: FileSystem())
    self.jobs = max(1, jobs)
  }

  /// Looks at every store.
  package func run(control: RunControl) -> Totals {
    let progress = Mutex(Progress())
    DispatchQueue.concurrentPerform(iterations: min(jobs, max(1, stores.count))) { _ in
      control.watching { _ in
        while let place = begin(progress, control) { look(place, progress) }
      }
    }
    return progress.withLock { progress in
      var totals = progress.totals
      totals.examples = progress.found.mapValues { found in
        found.sorted { $0.place < $1.place }.map(\.name)
      }
      totals.left = stores.count - totals.counts.values.reduce(0, +)
      return totals
    }
  }

  private func begin(_ progress: borrowing Mutex<Progress>, _ control: RunControl) -> Int? {
    if control.shouldStop { return nil }
    return progress.withLock { progress in
      guard progress.next < stores.count else { return nil }
      defer { progress.next += 1 }
      return progress.next
    }
  }

  private func look(_ place: Int, _ progress: borrowing Mutex<Progress>) {
    let name = stores.name(at: place)
    var state: State
    var failure: LedgerEntry?
    do {
      state = try job.isDone(name) ? .done : .toDo
    } catch {
      let error = MigrationError(error, store: name)
      state = Self.state(error, name)
      failure =
        FleetResult(
          .failure(error), store: name, bytes: 0, notes: StoreNotes(), seconds: 0
        ).entry
    }
    progress.withLock { progress in
      progress.totals.counts[state, default: 0] += 1
      if let failure { progress.totals.failures.add(failure) }
      if state != .done, progress.found[state, default: []].count < Self.maximumExamples {
        progress.found[state, default: []].append((place, name))
      }
    }
  }

  private static func state(_ error: MigrationError, _ path: String) -> State {
    // Beside it may be the names that no model has, of a class that is reported first.
    if error.diagnostics.errors.contains(where: { $0.code == "PLN-016" }) { return .unknown }
    switch error.kind {
    case .sourceModelUnknown: return .unknown
    case .sourceDamaged: return .damaged
    default:
      do throws(FileSystem.Failure) {
        return try FileSystem().exists(path) ? .other : .missing
      } catch {
        return .other
      }
    }
  }
}
