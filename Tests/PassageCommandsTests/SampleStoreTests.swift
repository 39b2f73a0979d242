import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// The committed sample is what the project's own code makes. To make it again after a change:
///
///     PASSAGE_WRITE_SAMPLES=1 swift test --filter SampleStoreTests
struct SampleStoreTests {
  private static let isWriting =
    ProcessInfo.processInfo.environment["PASSAGE_WRITE_SAMPLES"] != nil

  private static var committedPath: String { Repository.file("Migrations/Sample/Events.sqlite") }

  @Test(.enabled(if: isWriting))
  func `the sample is written again when that is asked for`() throws {
    let path = Self.committedPath
    try? FileManager.default.removeItem(atPath: path)
    try SampleStore.writeEvents(to: path)
    #expect(
      try StoreFile.open(path: path).objectCounts(.init(model: SampleStore.eventsModel)).total
        == 2_000)
  }

  @Test(.disabled(if: isWriting))
  func `the committed sample holds what the code makes`() throws {
    let folder = try TemporaryDirectory()
    let made = folder.path("Events.sqlite")
    try SampleStore.writeEvents(to: made)
    let committed = try folder.copy(Self.committedPath, to: "Committed.sqlite")
    let report = try StoreComparison(
      expected: StoreFile.open(path: made), found: StoreFile.open(path: committed),
      model: SampleStore.eventsModel
    ).run()
    #expect(report.isEqual)
    #expect(report.parts.map(\.foundCount) == [2_000])
    #expect(
      try StoreMetadata.read(path: committed) == StoreMetadata.read(path: made))
  }

  @Test
  func `the sample is of the model in the repository`() throws {
    let model = try ModelFile.read(path: Repository.file("Migrations/Events 1.json"))
    #expect(model.versionHashes == SampleStore.eventsModel.versionHashes)
  }

  @Test
  func `making the sample twice gives the same bytes`() throws {
    let folder = try TemporaryDirectory()
    for name in ["a.sqlite", "b.sqlite"] { try SampleStore.writeEvents(to: folder.path(name)) }
    #expect(try bytes(of: folder.path("a.sqlite")) == bytes(of: folder.path("b.sqlite")))
  }

  @Test
  func `every sixteenth event has no time stamp`() {
    let missing = (1...SampleStore.eventCount).filter { SampleStore.eventTimeStamp(key: $0) == nil }
    #expect(missing.count == 125)
    #expect(missing.allSatisfy { $0 % 16 == 0 })
    for key in [0, -1, -16, Int64.min] { #expect(SampleStore.eventTimeStamp(key: key) == nil) }
    #expect(SampleStore.eventTimeStamp(key: .max) != nil)
  }
}
