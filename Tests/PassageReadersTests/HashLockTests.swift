import Foundation
import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageTesting
import TestSupport
import Testing

/// The lock file that records version hashes beside a model.
struct HashLockTests {
  private static let hash = Data(repeating: 9, count: 32).base64EncodedString()

  /// A model with one entity whose hash no confirmed rule gives, and one whose hash is certain.
  private static let model = Model(
    name: "Notes 2",
    entities: [
      Entity(
        name: "Event", attributes: [Attribute(name: "a", type: .string)],
        uniquenessConstraints: [["a"], ["a"]]),
      Entity(name: "Plain", attributes: [Attribute(name: "b", type: .string)]),
    ])

  private func load(lock: String?) throws -> (Result<ReadModel, Diagnostics>) {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/Notes.json"
    try Data(ModelDocument.encode(Self.model).utf8).write(to: URL(filePath: path))
    if let lock { try Data(lock.utf8).write(to: URL(filePath: path + ".lock.json")) }
    do {
      return .success(try ModelFile.load(path: path))
    } catch {
      return .failure(error)
    }
  }

  private func codes(_ lock: String?) throws -> [String] {
    switch try load(lock: lock) {
    case .success(let read): read.remarks.all.map(\.code)
    case .failure(let diagnostics): diagnostics.all.map(\.code)
    }
  }

  @Test func `without a lock the hash is reported as unproved`() throws {
    let read = try load(lock: nil).get()
    #expect(read.remarks.all.map(\.code) == ["MOD-130"])
    #expect(read.remarks.all.first?.location?.line != nil)
  }

  @Test func `a lock gives the hashes that cannot be computed`() throws {
    let read = try load(lock: #"{ "versions": { "Notes 2": { "Event": "\#(Self.hash)" } } }"#).get()
    #expect(read.remarks.all.map(\.code) == ["MOD-129"])
    #expect(read.model.versionHashes["Event"] == [UInt8](repeating: 9, count: 32))
    #expect(read.model.entities.map { read.model.hashOrigin(of: $0) } == [.recorded, .computed])
  }

  @Test func `a lock of other versions changes nothing`() throws {
    #expect(
      try codes(#"{ "versions": { "Notes 1": { "Gone": "\#(Self.hash)" } } }"#) == ["MOD-130"])
  }

  @Test(arguments: ["One", "Two"])
  func `a version that a bundle does not have is refused`(_ name: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write("<model/>", to: "Notes.xcdatamodeld/One.xcdatamodel/contents")
    try folder.write(
      #"{ "versions": { "\#(name)": {} } }"#, to: "Notes.xcdatamodeld.lock.json")
    let path = folder.path("Notes.xcdatamodeld")
    var found = Diagnostics()
    for read in [{ _ = try ModelFile.load(path: path) }, { _ = try ModelFile.list(path: path) }] {
      do {
        try read()
      } catch let mistakes as Diagnostics {
        found.append(contentsOf: mistakes)
      }
    }
    #expect(found.all.map(\.code) == (name == "One" ? [] : ["MOD-131", "MOD-131"]))
    #expect(found.all.allSatisfy { $0.location?.column == 17 }, "\(found)")
  }

  @Test func `a lock that contradicts a computed hash is an error at its place`() throws {
    let lock = #"{ "versions": { "Notes 2": { "Plain": "\#(Self.hash)" } } }"#
    #expect(try codes(lock) == ["MOD-044"])
    guard case .failure(let mistakes) = try load(lock: lock) else { return }
    #expect(mistakes.all.first?.location?.file.hasSuffix("Notes.json.lock.json") == true)
    #expect(mistakes.all.first?.location?.column == lock.distance(of: "\"\(Self.hash)") + 1)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{ "versions": 5 }"#, #"{ "versions": { "Notes 2": [] } }"#,
    #"{ "versions": { "Notes 2": { "Event": "AAAA" } } }"#,
    #"{ "versions": { "Notes 2": { "Event": 7 } } }"#, #"{ "versions": {}, "more": 1 }"#,
    #"{ "versions": { "Notes 2": { "Evnt": "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=" } } }"#,
  ])
  func `a wrong lock is an error and not left out`(_ lock: String) throws {
    #expect(try codes(lock) == ["MOD-131"])
  }
}

extension String {
  /// The scalars before the first occurrence of a text.
  fileprivate func distance(of text: String) -> Int {
    range(of: text).map { unicodeScalars.distance(from: startIndex, to: $0.lowerBound) } ?? -2
  }
}
