import Foundation
import Passage
import PassageEngine
import PassageTesting
import TestSupport
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
    missingFiles: MigrationOptions.MissingFiles = .keep
  ) throws {
    var options = MigrationOptions()
    options.output.type = type
    options.companions.missingFiles = missingFiles
    options.copiesStoresAtDestination = true
    _ = try StoreMigration(
      storePath: source, destination: .file(destination), source: model, destinationModel: model,
      models: [model.name: model], mappings: [InferredMapping.infer(from: model, to: model)],
      policies: PolicyRegistry([]), options: options
    ).run(control: RunControl())
  }

  @Test(arguments: ["tables", "delimited", "keyed", "jsonl", "xml"])
  func `a value in a file of its own is written into the store, and comes back`(type: String) throws
  {
    let source = try makeStore()
    // The two names share a folder of external data, which this one does not have.
    let other = directory.path("photos.\(type)")
    let back = directory.path("back.sqlite")
    try convert(source, to: other, as: type == "jsonl" ? "json-lines" : type)
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
      try convert(source, to: other, as: type == "jsonl" ? "json-lines" : type)
    }
    #expect(error.diagnostics.all.map(\.code) == ["STO-311"])
    #expect(Set(directory.names) == [".photos_SUPPORT", "photos.sqlite"])
    try convert(source, to: other, as: type, missingFiles: .drop)
    let back = directory.path("back.sqlite")
    try convert(other, to: back, as: nil)
    #expect(try StoreContents(path: back, model: model).object("Photo", 1)?["image"] == .null)
  }
}

/// Values that are copied and compared in pieces.
struct LargeValueTests {
  private let directory: TemporaryDirectory
  private let name = "8B1E4C1C-6C58-4C7D-9B8B-3C1F0E5D9A10"
  /// Longer than two pieces of a file or a column, and of no round length.
  private let large = (0..<600_001).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  private let model = Model(
    name: "M",
    entities: [
      Entity(
        name: "A",
        attributes: [
          Attribute(name: "e", type: .binary, allowsExternalBinaryDataStorage: true),
          Attribute(name: "p", type: .binary),
        ])
    ])

  init() throws { directory = try TemporaryDirectory() }

  private func makeStore(_ name: String, _ first: [UInt8], _ second: [UInt8]) throws -> String {
    let path = directory.path("\(name).sqlite")
    let store = try TestStore(model: model, at: path)
    try store.insert("A", ["e": .blob([1] + first), "p": .blob(second)])
    try store.insert("A", ["e": .blob([2] + Array(self.name.utf8) + [0]), "p": .blob([])])
    try store.insert("A", ["e": .blob([1]), "p": .null])
    try store.close()
    let folder = directory.path(".\(name)_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try directory.write(large, to: ".\(name)_SUPPORT/_EXTERNAL_DATA/\(self.name)")
    return path
  }

  @Test func `large values reach ordinary tables whole, from columns and from files`() throws {
    let source = try makeStore("a", large, large)
    let conversion = Conversion(model: model)
    try conversion.convert(source, to: directory.path("b.sqlite3"), as: "tables")
    try conversion.convert(directory.path("b.sqlite3"), to: directory.path("c.sqlite"), as: nil)
    let found = try StoreContents(path: directory.path("c.sqlite"), model: model)
    #expect(found.object("A", 1)?["e"] == .blob([1] + large))
    #expect(found.object("A", 1)?["p"] == .blob(large))
    #expect(found.object("A", 2)?["e"] == .blob([1] + large))
    #expect(found.object("A", 3)?["e"] == .blob([1]))
    let report = try StoreComparison(
      expected: StoreFile.open(path: source),
      found: StoreFile.open(path: directory.path("c.sqlite")), model: model, readsFiles: true
    ).run()
    #expect(report.differences.isEmpty)
  }

  /// It is refused before its file is loaded, by an estimate.
  @Test(arguments: ["delimited", "keyed", "json-lines", "xml"])
  func `an object that is too large for the memory limit is not written`(type: String) throws {
    let source = try makeStore("a", [1], [2])
    let output = directory.path("b.out")
    func convert(_ memory: Int) throws {
      try Conversion(model: model).convert(
        source, to: output, as: type,
        types: StoreTypes(StoreTypes.builtIn.all, memoryBytes: memory))
    }
    let error = try #require(throws: MigrationError.self) { try convert(4 << 20) }
    let found = try #require(error.diagnostics.all.first)
    #expect(error.kind == .wrongCall && found.code == "ATM-052", "\(error)")
    #expect(found.message.contains("A 2"))
    #expect(!directory.names.contains("b.out"))
    #expect(found.remedy?.contains("--memory 7M") == true, "\(error)")
    try convert(7 << 20)
    #expect(directory.names.contains("b.out"))
  }

  /// In the file the text is longer than in the store, which is only known once it is written.
  @Test(arguments: ["delimited", "json-lines"])
  func `a record that became too long is not kept`(type: String) throws {
    let model = Model(
      name: "M", entities: [Entity(name: "A", attributes: [Attribute(name: "t", type: .string)])])
    let source = directory.path("text.sqlite")
    let store = try TestStore(model: model, at: source)
    try store.insert("A", ["t": .text(String(repeating: "\"", count: 400_000))])
    try store.close()
    let error = try #require(throws: MigrationError.self) {
      try Conversion(model: model).convert(
        source, to: directory.path("b.out"), as: type,
        types: StoreTypes(StoreTypes.builtIn.all, memoryBytes: 4 << 20))
    }
    #expect(error.diagnostics.all.map(\.code) == ["ATM-052"], "\(error)")
    #expect(!directory.names.contains("b.out"))
  }

  @Test func `one byte that differs is seen, at the end as at the beginning`() throws {
    let source = try makeStore("a", large, large)
    for (number, position) in [0, 300_000, large.count - 1].enumerated() {
      var changed = large
      changed[position] ^= 1
      let other = try makeStore("b\(number)", large, changed)
      let third = try makeStore("c\(number)", changed, large)
      for (path, property) in [(other, "p"), (third, "e")] {
        for readsFiles in [false, true] {
          let report = try StoreComparison(
            expected: StoreFile.open(path: source), found: StoreFile.open(path: path),
            model: model, showsValues: true, readsFiles: readsFiles
          ).run()
          #expect(report.differences.map(\.properties) == [[property]])
          let digits = readsFiles || property == "p" ? 600_001 : 600_002
          #expect(report.differences[0].values[0].expected.contains("(\(digits) bytes"))
        }
      }
    }
  }
}
