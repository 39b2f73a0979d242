import Foundation
import Passage
import PassageFleets
import PassageTesting
import TestSupport
import Testing

/// Stores as they are found before anything is written.
struct FleetStoresTests {
  private let project: FleetProject

  init() throws { project = try FleetProject() }

  private func refusal(_ names: [String], keptStoresFolder: String? = nil) -> Diagnostic? {
    do {
      _ = try FleetStores(
        StoreList(names: StoreNames(names)), shard: nil, keptStoresFolder: keptStoresFolder)
      return nil
    } catch {
      #expect(error.kind == .wrongCall)
      return error.diagnostics.first
    }
  }

  @Test func `one file by two names is refused`() throws {
    let stores = try project.makeStores(2)
    let link = project.path("data/link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: stores[0])
    let found = try #require(refusal(stores + [link]))
    #expect(found.code == "FLT-004" && found.location?.file == link)
    #expect(found.reason?.contains(stores[0]) == true)
    let spelled = project.path("data/../data/2.sqlite")
    let other = try #require(refusal(stores + [spelled]))
    #expect(other.code == "FLT-004")
    #expect(other.reason?.contains("“\(stores[1])” and “\(spelled)”") == true)
  }

  @Test(
    arguments: [
      "1.sqlite-wal", "1.sqlite-shm", "1.sqlite-journal", "1.sqlite.passage/finished.sqlite",
      "1.sqlite.before-1", "1.sqlite.before-1~2", "1.sqlite.after-2", "1.migrated.sqlite",
      "1.sqlite.quarantine.jsonl", "1.sqlite.before-1-wal", "1.sqlite.before-1.copying",
      "gone.sqlite.3f2a9c01d45be678.before-1", "gone.3f2a9c01d45be678.after-2~3",
      "gone.sqlite.3f2a9c01d45be678.before-1.copying",
    ])
  func `the work of another run is refused`(name: String) throws {
    let stores = try project.makeStores(1)
    let work = project.path("data/\(name)")
    try FileManager.default.createDirectory(
      atPath: project.path("data/1.sqlite.passage"), withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: work))
    let found = try #require(refusal(stores + [work]))
    #expect(found.code == "FLT-005" && found.location?.file == work)
  }

  /// The mark of a store's place has 16 digits, and the name of a store is before it.
  @Test(
    arguments: [
      "A.before-noon.sqlite", "B.migrated.sqlite", "notes-wal", "x.passages",
      "x.3f2a9c01d45be67.before-1", "x.3F2A9C01D45BE678.before-1", "3f2a9c01d45be678.before-1",
      "x.3f2a9c01d45be678.before-",
    ])
  func `a store that is only named like work is taken`(name: String) throws {
    try project.folder.copy(project.path("empty.sqlite"), to: "data/\(name)")
    #expect(refusal([project.path("data/\(name)")]) == nil)
  }

  /// Whatever they are called: a kept store may have another name now.
  @Test(arguments: ["kept", "./kept", "link", "link/../kept"])
  func `a store in the folder of kept stores is refused`(folder: String) throws {
    let stores = try project.makeStores(2)
    try FileManager.default.createDirectory(
      atPath: project.path("kept/2026"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: project.path("link"), withDestinationPath: "kept")
    for name in ["kept/old.sqlite", "kept/2026/old.sqlite"] {
      try project.folder.copy(project.path("empty.sqlite"), to: name)
    }
    try FileManager.default.createSymbolicLink(
      atPath: project.path("data/link.sqlite"), withDestinationPath: "../kept/old.sqlite")
    let kept = project.path(folder)
    #expect(refusal(stores, keptStoresFolder: kept) == nil)
    for name in [
      "kept/old.sqlite", "link/old.sqlite", "kept/2026/old.sqlite", "data/../kept/old.sqlite",
      "data/link.sqlite",
    ] {
      let found = try #require(
        refusal(stores + [project.path(name)], keptStoresFolder: kept), "\(name)")
      #expect(found.code == "FLT-005" && found.location?.file == project.path(name))
      #expect(found.reason == "it is in the folder for kept stores, \(kept)")
    }
  }

  @Test func `a folder of kept stores may be around all stores`() throws {
    let stores = try project.makeStores(2)
    for folder in ["data", "."] {
      #expect(refusal(stores, keptStoresFolder: project.path(folder)) == nil)
    }
  }

  @Test func `a link to a kept store is refused`() throws {
    let stores = try project.makeStores(1)
    try project.folder.copy(stores[0], to: "data/1.sqlite.before-1")
    let link = project.path("data/link.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "1.sqlite.before-1")
    #expect(refusal(stores + [link])?.code == "FLT-005")
  }

  @Test func `some may be missing, and all may not`() throws {
    let stores = try project.makeStores(1)
    let none = [project.path("data/none"), project.path("data/nowhere")]
    let found = try FleetStores(
      StoreList(names: StoreNames(stores + none + [project.path("data")])), shard: nil)
    #expect(found.missingCount == 2 && found.folderCount == 1)
    #expect(found.warnings.all.map(\.code) == ["FLT-009"])
    #expect(refusal(none)?.code == "FLT-006")
    #expect(refusal(none)?.reason == "nothing is at any of the 2 paths")
    #expect(refusal([project.path("data/none")])?.reason == "nothing is at the path")
  }

  /// Whoever runs the shard must find the failure in its ledger.
  @Test func `stores of a shard may all be missing if the list has others`() throws {
    let names = try project.makeStores(1) + [project.path("data/none")]
    for number in 1...16 {
      let shard = try #require(Shard(number, of: 16))
      let found = try FleetStores(StoreList(names: StoreNames(names)), shard: shard)
      #expect(found.count == names.count { shard.contains($0.utf8) })
    }
    let none = [project.path("data/none"), project.path("data/nowhere")]
    for number in 1...16 {
      let shard = try #require(Shard(number, of: 16))
      let list = try StoreList(names: StoreNames(none))
      guard none.contains(where: { shard.contains($0.utf8) }) else { continue }
      let error = #expect(throws: MigrationError.self) { try FleetStores(list, shard: shard) }
      #expect(error?.diagnostics.first?.code == "FLT-006")
      #expect(error?.diagnostics.first?.reason == "nothing is at any of the 2 paths")
      #expect(try FleetStores(list, shard: shard, mayAllBeMissing: true).missingCount > 0)
    }
  }

  @Test func `stores are ordered by size, and mixed by a seed`() throws {
    let stores = try project.makeStores(20)
    try Data(count: 5).write(to: URL(fileURLWithPath: stores[7]))
    let list = try StoreList(names: StoreNames(stores))
    func names(_ order: FleetOrder) throws -> [String] {
      var found = try FleetStores(list, shard: nil)
      found.apply(order)
      return (0..<found.count).map { found.name(at: $0) }
    }
    #expect(try names(.listed) == stores)
    #expect(try names(.smallest) == [stores[7]] + stores[..<7] + stores[8...])
    let mixed = try names(.random(seed: 1))
    #expect(try mixed == names(.random(seed: 1)))
    #expect(try mixed != names(.random(seed: 2)) && mixed != stores)
    #expect(Set(mixed) == Set(stores))
  }

  @Test func `results keep their folders below a base, and never share a name`() throws {
    let names = StoreNames(["d/a/x.sqlite", "d/b/x.sqlite"])
    let out = project.path("out")
    try FileManager.default.createDirectory(
      atPath: out, withIntermediateDirectories: true)
    func code(_ places: ResultPlaces) -> String? {
      do {
        try places.check(StoreList(names: names))
        return nil
      } catch {
        return error.diagnostics.first?.code
      }
    }
    #expect(code(.folder(out, base: nil)) == "FLT-007")
    #expect(code(.folder(out, base: "d")) == nil)
    #expect(code(.folder(out, base: "./d/")) == nil)
    #expect(code(.folder(out, base: "d/a")) == "FLT-008")
    #expect(code(.folder(out, base: "/d")) == "FLT-008")
    #expect(code(.folder(project.path("none"), base: "d")) == "RUN-003")
    #expect(
      try ResultPlaces.folder(out, base: "d").destination(of: "d/a/x.sqlite")
        == .file("\(out)/a/x.sqlite"))
    #expect(throws: MigrationError.self) {
      try ResultPlaces.folder(out, base: "d").destination(of: "d/../../x.sqlite")
    }
  }

  /// The folder is named after a store without its extension.
  @Test func `results share no folder of external data`() throws {
    let names = ["d1/a.sqlite", "d2/a.db", "d2/a.csv", "d2/b.sqlite"]
    for folder in ["data/d1", "data/d2"] {
      try FileManager.default.createDirectory(
        atPath: project.path(folder), withIntermediateDirectories: true)
    }
    for name in names.dropLast() {
      try project.folder.copy(project.path("empty.sqlite"), to: "data/\(name)")
    }
    try project.folder.write("no store", to: "data/d2/a.csv")
    let out = project.path("out")
    for folder in [out, project.path("data/d2/.b_SUPPORT")] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    let list = try StoreList(names: StoreNames(names.map { project.path("data/\($0)") }))
    // Stores without external data may have such names.
    #expect(throws: Never.self) { try ResultPlaces.folder(out, base: nil).check(list) }
    try FileManager.default.createDirectory(
      atPath: project.path("data/d1/.a_SUPPORT"), withIntermediateDirectories: true)
    let error = #expect(throws: MigrationError.self) {
      try ResultPlaces.folder(out, base: nil).check(list)
    }
    let found = error?.diagnostics.first
    #expect(found?.code == "FLT-007")
    #expect(found?.reason?.contains("result of \(project.path("data/d2/a.db"))") == true)
    let base = project.path("data")
    #expect(throws: Never.self) { try ResultPlaces.folder(out, base: base).check(list) }
    // The store that is no database has no such folder.
    let rest = try StoreList(
      names: StoreNames(["d1/a.sqlite", "d2/a.csv"].map { project.path("data/\($0)") }))
    #expect(throws: Never.self) { try ResultPlaces.folder(out, base: nil).check(rest) }
  }
}
