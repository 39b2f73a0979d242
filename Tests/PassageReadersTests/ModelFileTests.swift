import Foundation
import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageTesting
import TestSupport
import Testing

struct ModelFileTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    for version in ["Notes", "Notes 2", "Notes 10"] {
      let entity = version.filter { $0 != " " }
      try folder.write(
        "<model><entity name=\"\(entity)\"/></model>",
        to: "Notes.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try folder.write(
      Self.current("Notes 2.xcdatamodel"), to: "Notes.xcdatamodeld/.xccurrentversion")
  }

  private static func current(_ name: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    	<key>_XCCurrentVersionName</key>
    	<string>\(name)</string>
    </dict>
    </plist>
    """
  }

  private func failure(_ path: String) -> Diagnostic? {
    do {
      _ = try ModelFile.read(path: path)
      return nil
    } catch {
      return error.errors.first
    }
  }

  @Test(arguments: [
    ("Notes.xcdatamodeld", "Notes 2"), ("Notes.xcdatamodeld/", "Notes 2"),
    ("Notes.xcdatamodeld:Notes", "Notes"), ("Notes.xcdatamodeld:Notes 10", "Notes 10"),
    ("Notes.xcdatamodeld:Notes 10.xcdatamodel", "Notes 10"),
    ("Notes.xcdatamodeld/Notes 10.xcdatamodel", "Notes 10"),
    ("Notes.xcdatamodeld/Notes 10.xcdatamodel/contents", "Notes 10"),
    ("Notes.xcdatamodeld/Notes.xcdatamodel:Notes", "Notes"),
  ])
  func `a path names a version or the current one`(_ path: String, _ name: String) throws {
    let model = try ModelFile.read(path: "\(folder.path)/\(path)")
    #expect(model.name == name)
    #expect(model.entities.map(\.name) == [name.filter { $0 != " " }])
  }

  @Test func `versions are listed in the order people count`() throws {
    let versions = try ModelFile.list(path: "\(folder.path)/Notes.xcdatamodeld")
    #expect(versions == ModelVersions(names: ["Notes", "Notes 2", "Notes 10"], current: "Notes 2"))
    #expect(versions.names == ["Notes", "Notes 2", "Notes 10"])
  }

  @Test(arguments: [
    (["b", "a10", "a9", "a"], ["a", "a9", "a10", "b"]),
    (["2.100.0", "2.21.2", "2.3", "1.25"], ["1.25", "2.3", "2.21.2", "2.100.0"]),
    (["v007", "v7", "v07x"], ["v7", "v07x", "v007"]),
    (["99999999999999999999999", "1", ""], ["", "1", "99999999999999999999999"]),
  ])
  func `numbers in names are ordered as numbers`(_ names: [String], _ sorted: [String]) {
    #expect(ModelVersions(names: names, current: nil).names == sorted)
  }

  @Test func `JSON is read by extension or content`() throws {
    let text = "\n {\"name\": \"Notes 1\", \"entities\": [{\"name\": \"Event\"}]}"
    for name in ["Notes.json", "Notes"] {
      let path = try folder.write(text, to: name)
      #expect(try ModelFile.read(path: path).name == "Notes 1")
      #expect(
        try ModelFile.list(path: path) == ModelVersions(names: ["Notes 1"], current: "Notes 1"))
    }
  }

  @Test func `a path with a colon in it is not taken apart`() throws {
    let path = try folder.write("{\"name\": \"M\", \"entities\": []}", to: "a:b.json")
    #expect(try ModelFile.read(path: path).name == "M")
  }

  @Test func `a missing path names the nearest one`() {
    let found = failure("\(folder.path)/Note.xcdatamodeld")
    #expect(found?.code == "MOD-100")
    #expect(found?.remedy == "did you mean “Notes.xcdatamodeld”?")
    #expect(failure("/nowhere/at/all.json")?.code == "MOD-100")
    #expect(failure("")?.code == "MOD-100")
  }

  /// What a history or a mapping model may name, too.
  @Test(arguments: ["/", ":", "a/", "a:", ":/"])
  func `a path that is longer than any names nothing, which is found at once`(part: String) throws {
    let path = "\(folder.path)/Notes.xcdatamodeld" + String(repeating: part, count: 400_000)
    var found: Diagnostic?
    let seconds = HangGuard.seconds { found = failure(path) }
    #expect(seconds < HangGuard.bound)
    #expect(found?.code == "MOD-100" || found?.code == "MOD-110")
    #expect((found?.description.utf8.count ?? 0) < 5_000)
    let some = String(repeating: "/", count: 100)
    #expect(try ModelFile.read(path: "\(folder.path)/Notes.xcdatamodeld\(some)").name == "Notes 2")
  }

  @Test func `an unknown kind names the known ones`() throws {
    let found = failure(try folder.write("hello", to: "notes.txt"))
    #expect(found?.code == "MOD-101")
    #expect(found?.remedy?.contains(".xcdatamodeld") == true)
    #expect(failure(folder.path)?.code == "MOD-101")
    #expect(failure(try folder.write("", to: "empty"))?.code == "MOD-101")
  }

  @Test(arguments: [
    ("App.app/Contents/Resources/Notes.momd/Notes.mom", "Contents/Resources/Notes.momd"),
    ("Project/Sources/Data/Notes.xcdatamodeld/x", "Sources/Data/Notes.xcdatamodeld"),
    ("Project/a/b/c/Store.sqlite", "a/b/c/Store.sqlite"),
  ])
  func `a folder of folders names the models further down`(name: String, expected: String) throws {
    let outer = try TemporaryDirectory()
    try outer.write("", to: name)
    let folder = outer.path(String(name.prefix { $0 != "/" }))
    let found = failure(folder)
    #expect(found?.code == "MOD-101")
    #expect(found?.reason == "it is a folder that contains “\(expected)”")
    #expect(found?.remedy == "name one of them: \(folder)/\(expected)")
  }

  @Test func `something that is not a file is not read`() {
    #expect(failure("/dev/zero")?.code == "MOD-102")
    #expect(failure("/dev/zero")?.remedy == "name a regular file")
  }

  @Test func `an unknown version names the known ones and the nearest`() {
    let found = failure("\(folder.path)/Notes.xcdatamodeld:Nots 2")
    #expect(found?.code == "MOD-110")
    #expect(found?.reason == "it has “Notes”, “Notes 2”, “Notes 10”")
    #expect(found?.remedy == "did you mean “Notes 2”?")
  }

  @Test func `a bundle that does not say which version is current asks for the version`() throws {
    try FileManager.default.removeItem(
      atPath: "\(folder.path)/Notes.xcdatamodeld/.xccurrentversion")
    let found = failure("\(folder.path)/Notes.xcdatamodeld")
    #expect(found?.code == "MOD-111")
    #expect(found?.remedy?.hasSuffix("Notes.xcdatamodeld:Notes") == true)
  }

  @Test func `the only version is the current one`() throws {
    try folder.write("<model/>", to: "One.xcdatamodeld/One.xcdatamodel/contents")
    #expect(try ModelFile.read(path: "\(folder.path)/One.xcdatamodeld").name == "One")
  }

  @Test(arguments: ["Gone.xcdatamodel", "../../etc/passwd"])
  func `a current version that does not exist is an error`(_ name: String) throws {
    try folder.write(Self.current(name), to: "Notes.xcdatamodeld/.xccurrentversion")
    let found = failure("\(folder.path)/Notes.xcdatamodeld")
    #expect(found?.code == "MOD-134")
    #expect(found?.location?.file.hasSuffix("Notes.xcdatamodeld/.xccurrentversion") == true)
    #expect(found?.remedy?.contains("or name one: \(folder.path)/Notes.xcdatamodeld:") == true)
  }

  @Test func `a bundle without contents says why`() throws {
    try folder.write("", to: "Old.xcdatamodel/elements")
    try folder.write("", to: "Empty.xcdatamodel/layout")
    let old = failure("\(folder.path)/Old.xcdatamodel")
    #expect(old?.code == "MOD-112")
    #expect(old?.message.contains("Xcode 3") == true)
    #expect(failure("\(folder.path)/Empty.xcdatamodel")?.code == "MOD-112")
  }
}
