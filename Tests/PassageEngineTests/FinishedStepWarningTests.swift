import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageTesting
import Testing

/// A migration of several steps warns of the same, whether or not it was interrupted.
@Suite struct FinishedStepWarningTests {
  /// Books, of which a mapping merges works; one of them is quarantined in the first step.
  private static func remains() throws -> Trial {
    func model(_ name: String) -> Model {
      var book = Entity("Book", [.text("title", isOptional: name == "1"), .text("isbn")])
      if name == "3" { book.attributes.append(.text("more")) }
      return Model(name, [book] + (name == "1" ? [] : [Entity("Work", [.text("isbn")])]))
    }
    return try Trial(
      model("1"), model("3"), between: [model("2")],
      [
        mapping(
          """
          {"type": "copy", "source": "Book", "destination": "Book"},
          {"name": "Works", "type": "transform", "source": "Book", "destination": "Work",
           "mergeBy": "$source.isbn", "attributes": {"isbn": {}}}
          """, named: "A"),
        mapping(
          """
          {"type": "copy", "source": "Book", "destination": "Book"},
          {"type": "copy", "source": "Work", "destination": "Work"}
          """, named: "B", from: "2", to: "3"),
      ]
    ) { store in
      for number in 1...6 {
        try store.insert(
          "Book", ["title": number == 4 ? .null : .text("t"), "isbn": .text("i\(number % 4)")])
      }
    }
  }

  /// Cars, of which one has a text where a number belongs: SQL copies it. The second step leaves it out.
  private static func conversions() throws -> Trial {
    let trial = try Trial(
      Model("1", [Entity("Car", [.text("plate"), .number("age")])]),
      Model("3", [Entity("Car", [.text("plate"), .text("more")])]),
      between: [Model("2", [Entity("Car", [.number("age"), .text("plate")])])],
      [
        mapping(#"{"type": "copy", "source": "Car", "destination": "Car"}"#, named: "A"),
        mapping(
          #"{"type": "copy", "source": "Car", "destination": "Car"}"#, named: "B", from: "2",
          to: "3"),
      ]
    ) { store in
      for number in 1...9 {
        try store.insert("Car", ["plate": .text("c\(number)"), "age": .integer(7)])
      }
    }
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "UPDATE ZCAR SET ZAGE = 'then' WHERE Z_PK = 5")
    return trial
  }

  private static func trial(_ code: String) throws -> Trial {
    code == "RUN-094" ? try remains() : try conversions()
  }

  private static let options = QuarantineTests.options(3, lane: .page, batch: 2)

  private static func told(_ report: MigrationReport) -> [String] {
    report.warnings.all.map { "\($0.code): \($0.message)" }
  }

  /// Once before the store of the first step gets its name, once after that.
  @Test(
    arguments: ["RUN-094", "RUN-048"],
    [(FileSystem.Operation.rename, "/step-1/store.sqlite"), (.makeDirectory, "/step-2")])
  func `what a finished step has warned of is told by the run that continues`(
    code: String, place: (operation: FileSystem.Operation, end: String)
  ) throws {
    let trial = try Self.trial(code)
    let whole = try Self.told(trial.run(to: "whole.sqlite", options: Self.options))
    #expect(whole.contains { $0.hasPrefix(code) }, "\(whole)")
    let files = FileSystem(willPerform: { operation, path in
      guard operation == place.operation, path.hasSuffix(place.end) else { return }
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
    })
    #expect(try trial.failure(options: Self.options, files: files).kind == .inputOutput)
    let report = try trial.run(options: Self.options)
    #expect(report.wasContinued)
    #expect(Self.told(report) == whole)
  }

  @Test(arguments: ["RUN-094", "RUN-048"])
  func `stopped anywhere, it warns once`(code: String) throws {
    let trial = try Self.trial(code)
    let whole = try Self.told(trial.run(to: "whole.sqlite", options: Self.options))
    var stop = 1
    while true {
      let name = "\(stop).sqlite"
      let control = StoppingControl(after: stop).control
      if (try? trial.run(to: name, options: Self.options, control: control)) != nil { break }
      #expect(
        try Self.told(trial.run(to: name, options: Self.options)) == whole, "stopped at \(stop)")
      stop += 1
    }
    #expect(stop > 8)
  }
}
