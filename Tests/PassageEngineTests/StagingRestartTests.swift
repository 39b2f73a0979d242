import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// A staged source is not synced: what a power failure tears must not be gone on with.
@Suite struct StagingRestartTests {
  private struct Import {
    let folder: TemporaryDirectory
    let model: Model
    let target: Model

    init() throws {
      folder = try TemporaryDirectory()
      try Connection(path: folder.path("plain.sqlite3"), mode: .create).execute(
        "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT);"
          + "INSERT INTO note VALUES (1, 'one'), (2, 'two'), (5, 'five')")
      model = try ModelFile.read(path: folder.path("plain.sqlite3"))
      var target = model
      target.name = "stored"
      self.target = target
    }

    func run(_ control: RunControl = RunControl()) throws -> MigrationReport {
      let entity = model.entities[0].name
      return try StoreMigration(
        storePath: folder.path("plain.sqlite3"), destination: .file(folder.path("new.sqlite")),
        source: model, destinationModel: target,
        models: [model.name: model, target.name: target],
        mappings: [
          mapping(
            #"{"type": "copy", "source": "\#(entity)", "destination": "\#(entity)"}"#,
            from: model.name, to: target.name)
        ], policies: PolicyRegistry([]), options: MigrationOptions()
      ).run(control: control)
    }

    /// Stops runs later and later, until one has staged the source.
    func stage() throws {
      for stop in 1...20 where folder.contents("new.sqlite.passage/source.sqlite") == nil {
        let failure = #expect(throws: MigrationError.self) {
          try run(StoppingControl(after: stop).control)
        }
        #expect(failure?.kind == .cancelled)
      }
    }

    func texts() throws -> [Value] {
      let contents = try StoreContents(path: folder.path("new.sqlite"), model: target)
      return contents.objects.map { $0["text"] }
    }
  }

  @Test(arguments: [false, true])
  func `after a restart of the machine the source is staged again`(isRestarted: Bool) throws {
    let work = try Import()
    try work.stage()
    let staged = "new.sqlite.passage/source.sqlite"
    let bytes = try #require(work.folder.contents(staged))
    if isRestarted {
      // The same file, and half of it is not on the disk.
      try work.folder.write(
        bytes.enumerated().map { $0 < bytes.count / 2 ? $1 : 0 }, to: staged)
      let identity = String(
        decoding: try #require(work.folder.contents("new.sqlite.passage/run.json")), as: UTF8.self)
      let boot = try #require(FileSystem().bootIdentity).prefix { $0 != "\n" }
      #expect(identity.contains(boot))
      try work.folder.write(
        Array(identity.replacing(boot, with: "before").utf8), to: "new.sqlite.passage/run.json")
    }
    #expect(try work.run().wasContinued)
    #expect(try work.texts() == ["one", "two", "five"])
  }
}
