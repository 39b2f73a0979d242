import Dispatch
import Foundation
import Passage
import PassageEngine
import PassagePrefilled
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// The one shape of work that is started: progress, a value, an end. And where it runs: never on the
/// threads that tasks share.
@Suite(.timeLimit(.minutes(15))) struct StartedWorkTests {
  private let bundle: PrefilledStore
  private var source: URL { URL(fileURLWithPath: bundle.path) }
  private var destination: URL { URL(fileURLWithPath: bundle.installedPath) }

  init() throws { bundle = try PrefilledStore(.hotLog) }

  /// Brings the pre-filled store to its next version; for each photo `seen:` is called.
  private static func mappings() throws -> [MappingModel] {
    [
      try mapping(
        """
        {"type": "transform", "source": "Photo", "destination": "Photo",
         "attributes": {"image": "$source.image", "size": "seen($source.size)", "title": "nil"}},
        {"type": "copy", "source": "Tag", "destination": "Tag"}
        """)
    ]
  }

  private func installer(seen: @escaping @Sendable () -> Void = {}) throws -> StoreInstaller {
    StoreInstaller(
      model: PrefilledStore.destination, mappings: try Self.mappings(),
      models: [PrefilledStore.source],
      functions: [
        ValueFunction("seen:", takes: [.integer], gives: .integer) {
          seen()
          return $0[0]
        }
      ])
  }

  private func progress<Result>(of work: BackgroundWork<Result>) async -> [MigrationProgress] {
    var seen: [MigrationProgress] = []
    for await progress in work.progress { seen.append(progress) }
    return seen
  }

  // MARK: Progress and value

  @Test func `an installation tells its migration's progress, ends once and gives its report`()
    async throws
  {
    let work = try installer().start(from: source, to: destination)
    let seen = await progress(of: work)
    #expect(seen.last?.phase == .finished)
    #expect(seen.last?.completed == 43)
    #expect(seen.last?.fraction == 1)
    #expect(seen.dropLast().allSatisfy { $0.phase != .finished && $0.fraction < 1 })
    #expect(try await work.value.outcome == .migrated)
    #expect(try await work.value.migration?.steps.first?.mappings.count == 2)
  }

  @Test func `a packing tells its progress and gives its report`() async throws {
    let work = StorePacker(model: PrefilledStore.source)
      .start(storeAt: source, to: bundle.directory.url("Packed.sqlite"))
    #expect(await progress(of: work).last?.phase == .finished)
    #expect(try await work.value.outcome == .packed)
  }

  @Test(arguments: [false, true])
  func `the phases of an installation and of a packing come in order`(isPacking: Bool) throws {
    let seen = Mutex<[MigrationProgress.Phase]>([])
    let control = RunControl(report: { progress in seen.withLock { $0.append(progress.phase) } })
    if isPacking {
      _ = try StorePacking(
        storePath: bundle.path, outputPath: bundle.directory.path("Packed.sqlite"),
        model: PrefilledStore.source
      ).run(control: control)
    } else {
      _ = try StoreInstallation(
        sourcePath: bundle.path, destinationPath: bundle.installedPath,
        target: PrefilledStore.source, options: InstallationOptions()
      ).run(control: control)
    }
    let verify: [MigrationProgress.Phase] = isPacking ? [.verify] : []
    #expect(seen.withLock { $0 } == [.prepare, .copy] + verify + [.cutOver, .finished])
  }

  // MARK: The end

  @Test func `an installation that is cancelled within its migration leaves nothing`() async throws
  {
    let (reached, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let work = try installer {
      reached.signal()
      gate.wait()
      gate.signal()
    }.start(from: source, to: destination)
    await onThreadOfItsOwn { reached.wait() }
    work.cancel()
    gate.signal()
    let error = await #expect(throws: MigrationError.self) { try await work.value }
    #expect(error?.kind == .cancelled)
    #expect(bundle.installedNames == [])
  }

  @Test func `cancelling the task that waits stops an installation`() async throws {
    let (reached, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let installer = try installer {
      reached.signal()
      gate.wait()
      gate.signal()
    }
    let (source, destination) = (source, destination)
    let task = Task { try await installer.install(from: source, to: destination) }
    await onThreadOfItsOwn { reached.wait() }
    task.cancel()
    gate.signal()
    let error = await #expect(throws: MigrationError.self) { try await task.value }
    #expect(error?.kind == .cancelled)
  }

  @Test func `a packing stops at each place it can, and leaves nothing`() throws {
    let packing = StorePacking(
      storePath: bundle.path, outputPath: bundle.installedPath, model: PrefilledStore.source)
    for place in 0... {
      let asked = Mutex(0)
      let control = RunControl(willContinue: {
        asked.withLock { asked in
          asked += 1
          return asked <= place
        }
      })
      do {
        _ = try packing.run(control: control)
        #expect(place > 3)
        return
      } catch let error as MigrationError {
        #expect(error.kind == .cancelled)
        #expect(bundle.installedNames == [])
      }
    }
  }

  @Test func `an installation keeps to the time budget of its migration`() async throws {
    var options = InstallationOptions()
    options.migration.limits.timeBudget = .zero
    let error = await #expect(throws: MigrationError.self) {
      try await installer().install(from: source, to: destination, options: options)
    }
    #expect(error?.kind == .cancelled)
    #expect(bundle.installedNames == [])
  }

  @Test func `what is wrong comes out of the value, not out of the start`() async throws {
    let folder = bundle.directory.url("nowhere")
    let installation = StoreInstaller(migrations: folder).start(from: source, to: destination)
    let error = await #expect(throws: MigrationError.self) { try await installation.value }
    let upgrade = await #expect(throws: MigrationError.self) {
      try await StoreUpgrade(migrations: folder).status(storeAt: source)
    }
    #expect(error?.kind == upgrade?.kind && error?.codes == upgrade?.codes)
    let packing = StorePacker().start(storeAt: folder, to: destination)
    await #expect(throws: MigrationError.self) { try await packing.value }
  }

  // MARK: Threads

  @Test func `blocked work of any number leaves the threads of tasks alone`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let count = 4 * ProcessInfo.processInfo.activeProcessorCount + 8
    let works = (0..<count).map { number in
      BackgroundWork(storePath: "") { _ in
        gate.wait()
        return number
      }
    }
    // With a thread of the pool lost to each, none of these would ever run.
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<count { group.addTask { await Task.yield() } }
    }
    for _ in works { gate.signal() }
    var sum = 0
    for work in works { sum += try await work.value }
    #expect(sum == count * (count - 1) / 2)
  }

  @Test func `no call of the library does its work on a thread of tasks`() async throws {
    let isInTask = Mutex<[Bool]>([])
    let function = ValueFunction("seen:", takes: [.integer], gives: .integer) { values in
      isInTask.withLock { $0.append(withUnsafeCurrentTask { $0 != nil }) }
      return values[0]
    }
    let manager = MigrationManager(
      source: PrefilledStore.source, destination: PrefilledStore.destination,
      policies: [WhereMade.self], functions: [function])
    _ = try await manager.migrate(
      storeAt: source, to: destination, mappings: try Self.mappings()
    ).value
    let planned = try mapping(
      """
      {"type": "custom", "source": "Photo", "destination": "Photo", "policy": {"name": "WhereMade"}},
      {"type": "copy", "source": "Tag", "destination": "Tag"}
      """)
    // The policy refuses to be made on a thread of tasks.
    _ = try await manager.plan(storeInPlaceAt: source, mappings: [planned])
    #expect(isInTask.withLock { $0 } == [false, false, false])
  }

  /// Waits for something that blocks without taking a thread of tasks.
  private func onThreadOfItsOwn(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "waiting").async {
        body()
        continuation.resume()
      }
    }
  }
}

/// A policy that cannot be made within a task.
private struct WhereMade: MigrationPolicy {
  init(mapping: PolicyMapping) throws {
    guard withUnsafeCurrentTask(body: { $0 == nil }) else {
      throw PolicyMistake("made on a thread of tasks")
    }
  }
}
