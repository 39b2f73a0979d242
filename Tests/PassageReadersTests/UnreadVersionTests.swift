import Foundation
import PassageDiagnostics
import PassageModels
import PassageProjects
import PassageReaders
import PassageTesting
import TestSupport
import Testing

/// The versions of a bundle are read when they are needed.
struct UnreadVersionTests {
  /// A bundle of versions, each with an entity of its own besides `Note`. The last is the current
  /// one.
  private func bundle(_ count: Int, in folder: TemporaryDirectory) throws -> String {
    for number in 1...count { try write(number, in: folder, text: contents(number)) }
    try folder.write(
      """
      <plist><dict><key>_XCCurrentVersionName</key><string>V\(count).xcdatamodel</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
    return folder.path("App.xcdatamodeld")
  }

  private func write(_ number: Int, in folder: TemporaryDirectory, text: String) throws {
    try folder.write(text, to: "App.xcdatamodeld/V\(number).xcdatamodel/contents")
  }

  private func contents(_ number: Int) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Note"><attribute name="text" optional="YES" attributeType="String"/></entity>
      <entity name="Only\(number)"/>
    </model>
    """
  }

  private func project(_ path: String) throws -> Project {
    let folder = try TemporaryDirectory()
    return try Project(
      migrationsDirectory: folder.path, mappingsDirectory: folder.path, modelPaths: [path])
  }

  @Test func `a version is read when it is asked for`() throws {
    let folder = try TemporaryDirectory()
    let project = try project(bundle(5, in: folder))
    #expect(project.models.names == ["V1", "V2", "V3", "V4", "V5"])
    #expect(project.defaultVersionName == "V5")
    // What is written now is read, because nothing was read before.
    try write(2, in: folder, text: contents(77))
    #expect(project.models["V2"]?.entity(named: "Only77") != nil)
    try write(2, in: folder, text: contents(2))
    #expect(project.models["V2"]?.entity(named: "Only77") != nil)
    #expect(project.models["V6"] == nil)
    #expect(project.models.all.count == 5)
  }

  @Test func `the version of a store is found among those with its entities`() throws {
    let folder = try TemporaryDirectory()
    let path = try bundle(6, in: folder)
    let hashes = try ModelFile.read(path: "\(path):V3").versionHashes
    let project = try project(path)
    // A version that is read and broken is remembered.
    try write(1, in: folder, text: "<model")
    #expect(project.model(withHashes: hashes)?.name == "V3")
    #expect(project.models.names(withHashes: hashes) == ["V3"])
    #expect(project.unreadable.isEmpty)
    #expect(project.model(withHashes: ["Other": []]) == nil)
    #expect(project.unreadable.keys.sorted() == ["V1"])
  }

  /// The hint is only a hint: a name that is written in another way is found by reading.
  @Test func `a version whose entities the scan does not see is found all the same`() throws {
    let folder = try TemporaryDirectory()
    let path = try bundle(3, in: folder)
    let text = contents(1).replacingOccurrences(
      of: "<entity name=\"Only1\"/>", with: "<entity syncable=\"YES\" name='Only1'/>")
    try write(1, in: folder, text: text)
    #expect(ModelFile.entityNames(path: "\(path):V1") == ["Note"])
    #expect(ModelFile.entityNames(path: "\(path):V2") == ["Note", "Only2"])
    let hashes = try ModelFile.read(path: "\(path):V1").versionHashes
    #expect(try project(path).model(withHashes: hashes)?.name == "V1")
  }

  @Test func `models by name are all models if one is missing`() throws {
    let folder = try TemporaryDirectory()
    let project = try project(bundle(4, in: folder))
    #expect(project.models.named(["V1", "V4"]).keys.sorted() == ["V1", "V4"])
    #expect(project.models.named(["V1", "V9"]).count == 4)
  }
}
