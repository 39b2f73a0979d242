import Foundation
import Passage
import PassageTesting
import TestSupport

/// A folder with a bundle of models, made by hand, as an app's repository has it.
struct NotesProject {
  let folder: TemporaryDirectory

  static let bundle = "Notes.xcdatamodeld"

  /// - Parameter versions: the attributes of the entity `Note` in each version, as XML.
  init(_ versions: [[String]] = [NotesProject.old, NotesProject.converted]) throws {
    folder = try TemporaryDirectory()
    for (index, attributes) in versions.enumerated() {
      try folder.write(
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Note">\(attributes.joined())</entity>
        </model>
        """, to: "\(Self.bundle)/Notes \(index + 1).xcdatamodel/contents")
    }
  }

  private static func text(_ name: String) -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
  }

  static let old = [text("title"), text("stars")]
  /// The same with an attribute more, which can be inferred.
  static let wider = old + [text("place")]
  /// With another type, and a required attribute without a default.
  static let converted = [
    text("title"),
    "<attribute name=\"stars\" optional=\"YES\" attributeType=\"Integer 16\"/>",
    "<attribute name=\"words\" attributeType=\"Integer 32\"/>",
  ]

  func migrate(_ arguments: [String]) throws -> MigrateProcess.Outcome {
    try MigrateProcess.run(arguments, in: folder.path)
  }

  func migrate(_ arguments: String...) throws -> MigrateProcess.Outcome { try migrate(arguments) }

  /// Makes a store of the first version with three notes.
  func makeStore(_ name: String = "Notes.sqlite") throws {
    let model = try ModelFile.read(path: folder.path("\(Self.bundle):Notes 1"))
    let store = try TestStore(model: model, at: folder.path(name))
    for (title, stars) in [("Milk", "4"), ("Ann", " 2 "), ("Plan", nil)] {
      try store.insert("Note", ["title": .text(title), "stars": stars.map { .text($0) } ?? .null])
    }
    try store.close()
  }

  /// Takes the proposals of a draft: what a person does who has checked them.
  func acceptDraft(_ path: String) throws {
    let text = String(decoding: folder.contents(path) ?? [], as: UTF8.self)
    try folder.write(text.replacing(/, "draft": "[^"]*"/, with: ""), to: path)
  }

  /// Every file below but those of the bundle.
  var made: [String] {
    folder.everything.filter {
      var isFolder: ObjCBool = false
      return !$0.hasPrefix(Self.bundle)
        && FileManager.default.fileExists(atPath: folder.path($0), isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }
}
