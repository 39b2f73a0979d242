import Foundation
import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageTesting
import TestSupport
import Testing

/// Models in the binary format of Xcode 3.
struct OldXcodeModelTests {
  private func load(_ elements: [UInt8], _ folder: TemporaryDirectory) throws -> ReadModel {
    let bundle = "\(folder.path)/Old.xcdatamodel"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    try Data(elements).write(to: URL(filePath: "\(bundle)/elements"))
    return try ModelFile.load(path: bundle)
  }

  @Test(arguments: ["", "bplist00", "text", "archive"])
  func `an unknown element is reported with what to do`(_ text: String) throws {
    var archive = ArchivedModel()
    archive.entity("E")
    let bytes = text == "archive" ? archive.archive() : Array(text.utf8)
    let folder = try TemporaryDirectory()
    do {
      _ = try load(bytes, folder)
      Issue.record("the model was read")
    } catch let error as Diagnostics {
      #expect(error.all.map(\.code) == ["MOD-112"])
      #expect(error.all.first?.remedy?.contains("open it in Xcode") == true)
    }
  }

  @Test func `an archive of the editor given alone is named`() throws {
    var builder = ArchiveBuilder()
    let root = builder.add("XDPMModel", inherits: ["XDUMLModelImp"], [])
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/elements"
    try Data(builder.archive(root: root)).write(to: URL(filePath: path))
    #expect {
      try ModelFile.load(path: path)
    } throws: {
      ($0 as? Diagnostics)?.all.map(\.code) == ["MOD-112"]
    }
  }

  /// The archive that a mapping model keeps of its source model is of the same kind; its model is the
  /// one that the XML of a later editor describes.
  @Test(
    .enabled(if: Corpus.isPresent, "no real models and stores beside the package"),
    arguments: [
      ("cars/V2toV3.xcmappingmodel", "cars/SampleModel.xcdatamodeld:SampleModel2"),
      ("books/Model1_to_Model2.xcmappingmodel", "books/Model.xcdatamodeld:Model1"),
    ])
  func `the archive is read with a warning`(_ mapping: String, _ model: String) throws {
    let text = try String(
      contentsOf: URL(filePath: "\(Corpus.root)/\(mapping)/xcmapping.xml"), encoding: .utf8)
    let start = try #require(text.range(of: "<attribute name=\"sourcemodeldata\" type=\"binary\">"))
    let end = try #require(text.range(of: "<", range: start.upperBound..<text.endIndex))
    let bytes = try #require(
      Data(
        base64Encoded: String(text[start.upperBound..<end.lowerBound]),
        options: .ignoreUnknownCharacters))
    let folder = try TemporaryDirectory()
    let read = try load(Array(bytes), folder)
    #expect(read.remarks.all.filter { $0.code == "MOD-132" }.count == 1)
    #expect(read.model.name == "Old")
    let known = try ModelFile.read(path: "\(Corpus.root)/\(model)")
    #expect(read.model.versionHashes == known.versionHashes)
  }
}
