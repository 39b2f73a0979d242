import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// Faults at every operation on files while a store is put in place.
@Suite struct InterruptedPlacementTests {
  /// Nothing is there, or the whole unit.
  private func checkWhole(_ bundle: PrefilledStore, _ model: Model, _ place: String) throws {
    guard bundle.directory.contents("app/Store.sqlite") != nil else { return }
    #expect(try StoreAudit(path: bundle.installedPath, model: model).findings == [], "\(place)")
    let external = try StoreFile.open(path: bundle.installedPath).externalData(of: model)
    #expect(external?.files == 3 && external?.isComplete == true, "\(place)")
    let contents = try StoreContents(path: bundle.installedPath, model: model)
    #expect(contents["Tag"].count == 40, "\(place)")
  }

  @Test(arguments: [true, false], [PrefilledStore.State.quietLog, .hotLog])
  func `a fault at any operation of an installation leaves nothing or the whole store`(
    isLasting: Bool, state: PrefilledStore.State
  ) throws {
    try installWithFaults(isLasting, state, target: nil, minimum: 20)
  }

  @Test(arguments: [true, false])
  func
    `a fault at any operation of an installation that migrates leaves nothing or the whole store`(
      isLasting: Bool
    ) throws
  {
    try installWithFaults(isLasting, .hotLog, target: PrefilledStore.destination, minimum: 50)
  }

  private func installWithFaults(
    _ isLasting: Bool, _ state: PrefilledStore.State, target: Model?, minimum: Int
  ) throws {
    let bundle = try PrefilledStore(state)
    var stop = 0
    var slice = FaultSlice("InterruptedPlacementTests")
    while true {
      stop = slice.next(after: stop)
      let faults = FaultyFiles(failing: stop, isLasting: isLasting)
      do {
        try bundle.install(target: target, files: faults.files, route: PrefilledStore.route)
        if !faults.hasFailed { break }
      } catch let error as MigrationError {
        #expect(error.kind == .inputOutput, "\(faults.last)")
      }
      try checkWhole(bundle, target ?? PrefilledStore.source, faults.last)
      // The same call finishes, and leaves nothing but the store.
      try bundle.install(target: target, route: PrefilledStore.route)
      try checkWhole(bundle, target ?? PrefilledStore.source, faults.last)
      #expect(bundle.installedNames == PrefilledStore.wholeNames.sorted(), "\(faults.last)")
      for name in try FileManager.default.contentsOfDirectory(
        atPath: bundle.directory.path("app"))
      {
        try FileManager.default.removeItem(atPath: bundle.directory.path("app/\(name)"))
      }
    }
    #expect(stop > minimum)
  }

  @Test(arguments: [true, false])
  func `a fault at any operation of a packing leaves nothing or the whole packed store`(
    isLasting: Bool
  ) throws {
    let bundle = try PrefilledStore(.hotLog)
    try bundle.pack(to: "whole/Default.sqlite")
    let whole = bundle.contents("whole")
    var stop = 0
    var slice = FaultSlice("InterruptedPlacementTests")
    while true {
      stop = slice.next(after: stop)
      let faults = FaultyFiles(failing: stop, isLasting: isLasting)
      do {
        try bundle.pack(to: "app/Default.sqlite", files: faults.files)
        if !faults.hasFailed { break }
      } catch let error as MigrationError {
        #expect(error.kind == .inputOutput, "\(faults.last)")
      }
      if let packed = bundle.directory.contents("app/Default.sqlite") {
        #expect(packed == whole["Default.sqlite"], "\(faults.last)")
        #expect(bundle.installedNames.filter { $0.contains("_DATA/") }.count == 3)
      }
      try bundle.pack(to: "app/Default.sqlite")
      #expect(bundle.contents("app") == whole, "\(faults.last)")
      for name in try FileManager.default.contentsOfDirectory(
        atPath: bundle.directory.path("app"))
      {
        try FileManager.default.removeItem(atPath: bundle.directory.path("app/\(name)"))
      }
    }
    #expect(stop > 20)
  }

  // MARK: No room, no patience

  @Test func `too little room is said before anything is written`() throws {
    let bundle = try PrefilledStore()
    let files = FileSystem(freeBytes: { _ in 1_000 })
    let installing = try bundle.failure(files: files)
    #expect(installing.codes == ["RUN-005"])
    #expect(installing.kind == .diskTooSmall)
    #expect(try bundle.packFailure(files: files).codes == ["RUN-005"])
    #expect(bundle.installedNames == [])
    #expect(bundle.contents("packed") == [:])
  }

  @Test func `a disk that fills up leaves nothing behind`() throws {
    let bundle = try PrefilledStore()
    // ENOSPC, when the second file is written.
    let installing = try bundle.failure(files: fullDisk(atWrite: 4))
    #expect(installing.codes == ["RUN-006"])
    #expect(installing.kind == .diskTooSmall)
    let packing = try bundle.packFailure(files: fullDisk(atWrite: 4))
    #expect(packing.codes == ["RUN-006"])
    #expect(packing.kind == .diskTooSmall)
    #expect(bundle.installedNames == [])
    #expect(bundle.contents("packed") == [:])
  }

  private func fullDisk(atWrite stop: Int) -> FileSystem {
    let writes = Mutex(0)
    return FileSystem(willPerform: { operation, path in
      guard operation == .write else { return }
      let number = writes.withLock { count in
        count += 1
        return count
      }
      if number >= stop {
        throw FileSystem.Failure(operation: operation, path: path, errorNumber: 28)
      }
    })
  }

  @Test func `another process that takes too long is reported`() throws {
    let bundle = try PrefilledStore()
    let folder = bundle.installedPath + ".passage"
    try FileSystem().makeDirectory(folder)
    let lock = try #require(try FileSystem().lock(folder + "/lock"))
    var options = InstallationOptions()
    options.patience = .milliseconds(50)
    let error = try bundle.failure(options: options)
    #expect(error.kind == .locked)
    #expect(error.codes == ["RUN-010"])
    withExtendedLifetime(lock) {}
  }

  @Test func `a file that appears meanwhile is never replaced`() throws {
    let bundle = try PrefilledStore()
    let other = try PrefilledStore(.rollbackJournal)
    let bytes = try #require(other.directory.contents("bundle/Default.sqlite"))
    let files = FileSystem(willPerform: { operation, path in
      guard operation == .link, path == bundle.installedPath else { return }
      try bundle.directory.write(bytes, to: "app/Store.sqlite")
    })
    #expect(try bundle.install(files: files).outcome == .alreadyThere)
    #expect(bundle.directory.contents("app/Store.sqlite") == bytes)
  }

  @Test func `stopped at any moment, nothing is left behind`() throws {
    for stop in 1... {
      let bundle = try PrefilledStore(.hotLog)
      let control = StoppingControl(after: stop).control
      do {
        try bundle.install(
          target: PrefilledStore.destination, control: control, route: PrefilledStore.route)
        #expect(stop > 5)
        return
      } catch let error as MigrationError {
        #expect(error.kind == .cancelled)
        #expect(error.codes == ["RUN-013"])
        #expect(bundle.installedNames == [])
      }
    }
  }
}
