import Foundation
import Passage
import PassageEngine
import PassageTesting
import Testing

/// Values that Core Data keeps in files of their own, in stores that have no such files.
struct ExternalDataTests {
  private let directory: TemporaryDirectory
  private let name = "8B1E4C1C-6C58-4C7D-9B8B-3C1F0E5D9A10"
  private let contents = [UInt8](repeating: 7, count: 5_000)
  private let model = Model(
    name: "photos",
    entities: [
      Entity(
        name: "Photo",
        attributes: [
          Attribute(name: "image", type: .binary, allowsExternalBinaryDataStorage: true)
        ])
    ])

  init() throws { directory = try TemporaryDirectory() }

  /// A value in a file, one in the column, an empty one, and nil.
  private func makeStore(withFile: Bool = true) throws -> String {
    let path = directory.path("photos.sqlite")
    let store = try TestStore(model: model, at: path)
    for bytes in [[2] + Array(name.utf8) + [0], [1, 9, 9], [1]] {
      try store.insert("Photo", ["image": .blob(bytes)])
    }
    try store.insert("Photo")
    try store.close()
    let folder = directory.path(".photos_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if withFile { try directory.write(contents, to: ".photos_SUPPORT/_EXTERNAL_DATA/\(name)") }
    return path
  }

  private func convert(
    _ source: String, to destination: String, as type: String?,
    missingFiles: MissingFiles = .keep
  ) throws {
    var options = MigrationOptions()
    options.outputType = type
    options.missingFiles = missingFiles
    options.copiesStoresAtDestination = true
    _ = try StoreMigration(
      storePath: source, destination: .file(destination), source: model, destinationModel: model,
      models: [model.name: model], mappings: [InferredMapping.infer(from: model, to: model)],
      policies: PolicyRegistry([]), options: options
    ).run(control: RunControl())
  }

  @Test(arguments: ["tables", "delimited", "keyed", "xml"])
  func `a value in a file of its own is written into the store, and comes back`(type: String) throws
  {
    let source = try makeStore()
    // The two names share a folder of external data, which this one does not have.
    let other = directory.path("photos.\(type)")
    let back = directory.path("back.sqlite")
    try convert(source, to: other, as: type)
    try convert(other, to: back, as: nil)
    let found = try StoreContents(path: back, model: model)
    #expect(found.object("Photo", 1)?["image"] == .blob([1] + contents))
    #expect(found.object("Photo", 2)?["image"] == .blob([1, 9, 9]))
    #expect(found.object("Photo", 3)?["image"] == .blob([1]))
    #expect(found.object("Photo", 4)?["image"] == .null)
    let report = try StoreComparison(
      expected: StoreFile.open(path: source), found: StoreFile.open(path: back), model: model,
      readsFiles: true
    ).run()
    #expect(report.differences.isEmpty)
    let strict = try StoreComparison(
      expected: StoreFile.open(path: source), found: StoreFile.open(path: back), model: model
    ).run()
    #expect(!strict.differences.isEmpty)
    // The folder belongs to the first store alone.
    #expect(directory.names.filter { $0.hasSuffix("_SUPPORT") } == [".photos_SUPPORT"])
  }

  @Test(arguments: ["tables", "xml"])
  func `a file that is missing is refused before anything is written, or its value is nil`(
    type: String
  ) throws {
    let source = try makeStore(withFile: false)
    let other = directory.path("copy.\(type)")
    let error = try #require(throws: MigrationError.self) {
      try convert(source, to: other, as: type)
    }
    #expect(error.diagnostics.all.map(\.code) == ["STO-311"])
    #expect(Set(directory.names) == [".photos_SUPPORT", "photos.sqlite"])
    try convert(source, to: other, as: type, missingFiles: .drop)
    let back = directory.path("back.sqlite")
    try convert(other, to: back, as: nil)
    #expect(try StoreContents(path: back, model: model).object("Photo", 1)?["image"] == .null)
  }
}
