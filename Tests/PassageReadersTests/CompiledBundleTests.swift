import Foundation
import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// `.momd` bundles and `.mom` files on disk.
struct CompiledBundleTests {
  private func model(_ attribute: String) -> ArchivedModel {
    var archive = ArchivedModel()
    archive.entity("E", properties: [archive.attribute(attribute, 700)])
    return archive
  }

  /// A bundle of two versions; `One` is current.
  private func bundle(
    _ folder: TemporaryDirectory, isMarkup: Bool, hash: [UInt8]? = nil
  ) throws -> String {
    let path = "\(folder.path)/M.momd"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    var one = model("a")
    var two = model("b")
    try write(one.archive(), "\(path)/One.mom")
    try write(two.archive(), "\(path)/Two.mom")
    try write(Array("momv2$".utf8), "\(path)/One.omo")
    let hashes = try [("One", one.read()), ("Two", two.read())].map { name, read in
      (name, hash ?? read.model.versionHashes["E"] ?? [])
    }
    if isMarkup {
      let versions = hashes.map {
        "<key>\($0.0)</key><dict><key>E</key><data>\(Data($0.1).base64EncodedString())</data></dict>"
      }
      let text = """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
        <key>NSManagedObjectModel_CurrentVersionName</key><string>One</string>
        <key>NSManagedObjectModel_VersionHashes</key><dict>\(versions.joined())</dict>
        </dict></plist>
        """
      try write(Array(text.utf8), "\(path)/VersionInfo.plist")
    } else {
      let list = PropertyList.dictionary([
        PropertyList.Member("NSManagedObjectModel_CurrentVersionName", .string("One")),
        PropertyList.Member(
          "NSManagedObjectModel_VersionHashes",
          .dictionary(
            hashes.map {
              PropertyList.Member($0.0, .dictionary([PropertyList.Member("E", .data($0.1))]))
            })),
      ])
      try write(list.binaryPropertyList, "\(path)/VersionInfo.plist")
    }
    return path
  }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  private func codes(_ path: String) -> [String] {
    do {
      return try ModelFile.load(path: path).remarks.all.map(\.code)
    } catch {
      return error.all.map(\.code)
    }
  }

  @Test(arguments: [true, false])
  func `a bundle gives its current version and any named one`(_ isMarkup: Bool) throws {
    let folder = try TemporaryDirectory()
    let path = try bundle(folder, isMarkup: isMarkup)
    #expect(try ModelFile.list(path: path).names == ["One", "Two"])
    let current = try ModelFile.load(path: path)
    #expect(current.model.name == "One")
    #expect(current.recordedHashes == current.model.versionHashes)
    #expect(current.remarks.all.isEmpty)
    let two = try ModelFile.read(path: "\(path):Two")
    #expect(two.entity(named: "E")?.attributes.map(\.name) == ["b"])
    #expect(codes("\(path):Three") == ["MOD-110"])
  }

  @Test func `recorded hashes that disagree are reported and kept`() throws {
    let folder = try TemporaryDirectory()
    let path = try bundle(folder, isMarkup: false, hash: [1, 2, 3])
    let read = try ModelFile.load(path: path)
    #expect(read.remarks.all.map(\.code) == ["MOD-124"])
    #expect(read.recordedHashes == ["E": [1, 2, 3]])
  }

  @Test(arguments: ["", "bplist00", "<html/>", "<plist><dict><key>a</key></dict></plist>"])
  func `a damaged version list is an error`(_ text: String) throws {
    let folder = try TemporaryDirectory()
    let path = try bundle(folder, isMarkup: false)
    try write(Array(text.utf8), "\(path)/VersionInfo.plist")
    #expect(["MOD-125", "MOD-103"].contains(codes(path).first))
  }

  @Test func `a bundle with several versions and no list asks for the version`() throws {
    let folder = try TemporaryDirectory()
    let path = try bundle(folder, isMarkup: false)
    try FileManager.default.removeItem(atPath: "\(path)/VersionInfo.plist")
    #expect(codes(path) == ["MOD-111"])
    #expect(codes("\(path):Two") == [])
  }

  @Test func `an optimized model points to the model beside it`() throws {
    let folder = try TemporaryDirectory()
    let path = try bundle(folder, isMarkup: false)
    #expect(codes("\(path)/One.omo") == ["MOD-120"])
    #expect(codes("\(path)/One.mom") == [])
  }
}
