import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// Values in files of their own: checked before, carried along whole, checked after.
@Suite struct ExternalDataTests {
  static func model(_ name: String, isExternal: Bool = true, _ more: [Attribute] = []) -> Model {
    Model(
      name,
      [
        Entity(
          "Photo",
          [
            Attribute(name: "image", type: .binary, allowsExternalBinaryDataStorage: isExternal),
            .number("size"),
          ] + more)
      ])
  }

  static let names = (0..<6).map { "8B1E4C1C-6C58-4C7D-9B8B-3C1F0E5D9A1\($0)" }
  static let copy = #"{"type": "copy", "source": "Photo", "destination": "Photo"}"#

  static func reference(_ name: String) -> Value { .blob([2] + Array(name.utf8) + [0]) }

  /// Objects 1 and 2 in files, 3 in the column, 4 without a value.
  static func trial(
    _ source: Model = model("1"), _ destination: Model = model("2", [.text("title")]),
    _ mappings: String = copy, files: [Int] = [0, 1]
  ) throws -> Trial {
    let trial = try Trial(source, destination, [mapping(mappings)]) { store in
      try store.insert("Photo", ["image": reference(names[0]), "size": 1])
      try store.insert("Photo", ["image": reference(names[1]), "size": 2])
      try store.insert("Photo", ["image": .blob([1, 9, 9]), "size": 3])
      try store.insert("Photo", ["size": 4])
    }
    try FileManager.default.createDirectory(
      atPath: trial.directory.path(".old_SUPPORT/_EXTERNAL_DATA"),
      withIntermediateDirectories: true)
    for file in files {
      try trial.directory.write(
        contents(file), to: ".old_SUPPORT/_EXTERNAL_DATA/\(names[file])")
    }
    return trial
  }

  static func contents(_ file: Int) -> [UInt8] { Array(repeating: UInt8(file + 1), count: 5_000) }

  private func file(_ store: String, _ number: Int) -> String {
    ".\(store)_SUPPORT/_EXTERNAL_DATA/\(Self.names[number])"
  }

  @Test func `every reference is compared with the folder`() throws {
    let trial = try Self.trial(files: [0, 1, 5])
    let plan = try trial.migration(to: .file(trial.directory.path("new.sqlite"))).plan()
    let report = try #require(plan.companions.externalData)
    #expect(report.references == 2)
    #expect(report.files == 2)
    #expect(report.bytes == 15_000)
    #expect(report.isComplete)
    #expect(report.orphans == 1)
    #expect(report.firstOrphans == [Self.names[5]])
  }

  @Test
  func
    `a missing file is refused before anything is written where that is asked for, with its object`()
    throws
  {
    let trial = try Self.trial(files: [1])
    var options = MigrationOptions()
    options.companions.missingFiles = .refuse
    let error = try trial.failure(options: options)
    #expect(error.kind == .sourceDamaged)
    #expect(error.codes == ["STO-311"])
    #expect(error.description.contains("Photo 1 image (\(Self.names[0]))"))
    #expect(trial.directory.names == [".old_SUPPORT", "old.sqlite"])
  }

  @Test func `missing files and references that name none are told apart`() throws {
    let trial = try Trial(Self.model("1"), Self.model("2"), [mapping(Self.copy)]) { store in
      for reference in [Self.reference(Self.names[0]), .blob([2, 65, 0]), .blob([2, 66, 0])] {
        try store.insert("Photo", ["image": reference])
      }
    }
    let warnings = try trial.run().warnings.all
    #expect(warnings.map(\.code) == ["STO-312", "STO-312"])
    #expect(
      warnings.map(\.message) == [
        "the files of 1 of 3 external values are missing",
        "2 references to files of external data do not name a file",
      ])
    #expect(
      warnings.map(\.reason) == [
        "Photo 1 image (\(Self.names[0]))", "Photo 2 image, Photo 3 image",
      ])
  }

  @Test func `a missing file is reported and its reference kept`() throws {
    let trial = try Self.trial(files: [1])
    let report = try trial.run()
    #expect(report.warnings.all.map(\.code) == ["STO-312"])
    #expect(report.companions.externalData?.missing == 1)
    #expect(report.companions.externalData?.missingByAttribute == ["Photo.image": 1])
    let path = trial.directory.path("new.sqlite")
    let found = try StoreContents(path: path, model: trial.destination)
    #expect(found.object("Photo", 1)?["image"] == Self.reference(Self.names[0]))
  }

  @Test(
    arguments: [
      Array("../../../../../../etc/passwd\u{0}".utf8),
      Array("../_EXTERNAL_DATA/8B1E4C1C-6C58-4C7D\u{0}\u{0}".utf8),
      Array("8b1e4c1c-6c58-4c7d-9b8b-3c1f0e5d9a10\u{0}".utf8),
      Array("8B1E4C1C-6C58-4C7D-9B8B-3C1F0E5D9A10\u{1}".utf8),
      Array("8B1E4C1C-6C58-4C7D-9B8B-3C1F0E5D9A1/\u{0}".utf8), [],
    ])
  func `a reference that is not a name of a file is refused`(name: [UInt8]) throws {
    let trial = try Trial(
      Self.model("1"), Self.model("2", isExternal: false),
      [
        mapping(Self.copy)
      ]
    ) { store in
      try store.insert("Photo", ["image": .blob([2] + name)])
    }
    #expect(try trial.failure().codes == ["STO-313"])
    var options = MigrationOptions()
    options.companions.missingFiles = .drop
    for isForcedToRows in [false, true] {
      options.lane = isForcedToRows ? .row : .automatic
      let store = "new-\(isForcedToRows).sqlite"
      #expect(try trial.run(to: store, options: options).warnings.all.map(\.code) == ["STO-312"])
      let found = try StoreContents(path: trial.directory.path(store), model: trial.destination)
      #expect(found.object("Photo", 1)?["image"] == .null)
    }
  }

  @Test func `a link that leads out of the folder is not read as a file`() throws {
    let trial = try Self.trial(files: [1])
    try trial.directory.write([1, 2, 3], to: "secret")
    try FileManager.default.createSymbolicLink(
      atPath: trial.directory.path(file("old", 0)),
      withDestinationPath: trial.directory.path("secret"))
    var options = MigrationOptions()
    options.companions.missingFiles = .refuse
    #expect(try trial.failure(options: options).codes == ["STO-311"])
    let report = try trial.run()
    #expect(report.warnings.all.map(\.code) == ["STO-312", "STO-320"])
    #expect(trial.directory.contents(file("new", 0)) == nil)
    #expect(trial.directory.contents(file("new", 1)) == Self.contents(1))
  }

  /// As an administrator makes it who moves large files to another disk.
  @Test(arguments: [".old_SUPPORT", ".old_SUPPORT/_EXTERNAL_DATA"])
  func `a folder that is a link is not followed to another file, and never silently`(
    name: String
  ) throws {
    let trial = try Self.trial()
    let folder = trial.directory.path(name)
    try FileManager.default.moveItem(atPath: folder, toPath: trial.directory.path("elsewhere"))
    try FileManager.default.createSymbolicLink(
      atPath: folder, withDestinationPath: trial.directory.path("elsewhere"))
    var options = MigrationOptions()
    options.companions.missingFiles = .refuse
    #expect(try trial.failure(options: options).codes == ["STO-311"])
    let report = try trial.run()
    #expect(report.warnings.all.map(\.code) == ["STO-312", "STO-320"])
    #expect(report.warnings.all.last?.location?.file == folder)
    // In place the values stay where they are.
    let kept = try trial.runInPlace(options: options)
    #expect(kept.companions.externalData?.files == 2)
    #expect(kept.companions.externalData?.isComplete == true)
    #expect(trial.directory.contents(file("old", 0)) == Self.contents(0))
  }

  @Test(arguments: [false, true])
  func `the files travel with the store, linked or copied and compared`(
    canLink: Bool
  ) throws {
    let trial = try Self.trial(files: [0, 1, 5])
    let files = FileSystem(willPerform: { operation, path in
      if operation == .link, !canLink, path.contains("_EXTERNAL_DATA") {
        throw FileSystem.Failure(operation: operation, path: path, errorNumber: 1)
      }
    })
    let report = try trial.run(files: files)
    for number in [0, 1, 5] {
      #expect(trial.directory.contents(file("new", number)) == Self.contents(number))
      let isOne =
        try files.identity(trial.directory.path(file("old", number)))
        == files.identity(trial.directory.path(file("new", number)))
      #expect(isOne == canLink)
    }
    #expect(report.warnings.all.map(\.code) == ["STO-314"])
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: trial.directory.path(".new_SUPPORT/_EXTERNAL_DATA")
      ).count == 3)
  }

  @Test func `files of objects that were filtered out stay and are reported`() throws {
    let trial = try Self.trial(
      Self.model("1"), Self.model("2", [.text("title")]),
      ##"{"type": "copy", "source": "Photo", "destination": "Photo", "filter": "#size > 1"}"##)
    let report = try trial.run()
    #expect(report.warnings.all.map(\.code) == ["STO-314"])
    #expect(report.companions.externalData?.firstOrphans == [Self.names[0]])
    #expect(trial.directory.contents(file("new", 0)) == Self.contents(0))
  }

  @Test func `in place, the new store keeps the folder and the kept one gets its own`() throws {
    let trial = try Self.trial()
    try trial.runInPlace()
    #expect(trial.directory.contents(file("old", 0)) == Self.contents(0))
    let kept = StoreUnit(path: trial.directory.path("old.sqlite.before-1"))
    let report = try StoreFile.open(path: kept.path).externalData(of: trial.source)
    #expect(report?.files == 2)
    #expect(report?.isComplete == true)
  }

  @Test(arguments: ConversionTrial.foreignTypes)
  func `a store of another type gets no folder, and may be named like the source`(
    _ type: String
  ) throws {
    let trial = try Self.trial(Self.model("1"), Self.model("2", isExternal: false))
    let names = trial.directory.names
    let name = ConversionTrial.name("old", type)
    var options = MigrationOptions()
    options.output.type = type
    #expect(try trial.run(to: name, options: options).outcome == .migrated)
    #expect(trial.directory.names == (names + [name]).sorted())
    let found = try StoreContents(path: converted(trial, name, type), model: trial.destination)
    #expect(
      found["Photo"].map { $0["image"] == .blob(Self.contents(0)) } == [true, false, false, false])
    #expect(try trial.run(to: name, options: options).outcome == .upToDate)
  }

  /// A store of another type in Core Data's layout again.
  private func converted(_ trial: Trial, _ name: String, _ type: String) throws -> String {
    let path = trial.directory.path("converted.sqlite")
    let model = trial.destination
    _ = try StoreMigration(
      storePath: trial.directory.path(name), destination: .file(path), source: model,
      destinationModel: model, models: [model.name: model],
      mappings: [InferredMapping.infer(from: model, to: model)], policies: PolicyRegistry([]),
      options: MigrationOptions()
    ).run(control: RunControl())
    return path
  }

  @Test func `a destination that would share the source's folder is refused`() throws {
    let trial = try Self.trial()
    let error = try trial.failure(to: "old.store")
    #expect(error.codes == ["STO-315"])
    #expect(trial.directory.contents(file("old", 0)) == Self.contents(0))
  }

  @Test(arguments: [0, 1])
  func `another file in the way is not replaced, and none is added`(number: Int) throws {
    let trial = try Self.trial()
    let folder = trial.directory.path(".new_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try trial.directory.write([7], to: file("new", number))
    #expect(try trial.failure().codes == ["STO-316"])
    #expect(trial.directory.contents(file("new", number)) == [7])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder) == [Self.names[number]])
    #expect(trial.directory.contents("new.sqlite") == nil)
  }

  @Test func `a copy that differs is noticed before the cut-over`() throws {
    let trial = try Self.trial()
    let files = FileSystem(willPerform: { operation, path in
      if operation == .link, path.contains(".new_SUPPORT/_EXTERNAL_DATA/") {
        throw FileSystem.Failure(operation: operation, path: path, errorNumber: 1)
      }
      if operation == .synchronize, path.hasSuffix(".copy") {
        // What a failing disk does.
        try Data([1]).write(to: URL(fileURLWithPath: path))
      }
    })
    #expect(try trial.failure(files: files).codes == ["STO-317"])
    #expect(trial.directory.contents("new.sqlite") == nil)
  }

  @Test(arguments: [true, false])
  func `values change their form where external storage is allowed on one side alone`(
    isExternal: Bool
  ) throws {
    let trial = try Self.trial(
      Self.model("1", isExternal: !isExternal), Self.model("2", isExternal: isExternal))
    let photos = try trial.migrate().contents["Photo"].map { $0["image"] }
    if isExternal {
      let raw = [Self.reference(Self.names[0]), Self.reference(Self.names[1]), .blob([1, 9, 9])]
      #expect(photos == raw.map { .blob([1] + ($0.bytes ?? [])) } + [.null])
    } else {
      #expect(
        photos == [.blob(Self.contents(0)), .blob(Self.contents(1)), .blob([9, 9]), .null])
    }
  }

  @Test func `a value that must be read from a missing file is refused, or dropped`() throws {
    let trial = try Self.trial(Self.model("1"), Self.model("2", isExternal: false), files: [1])
    let error = try trial.failure()
    #expect(error.codes == ["STO-311"])
    #expect(error.description.contains("“Photo.image” must be read"))
    for isForcedToRows in [false, true] {
      var options = MigrationOptions()
      options.companions.missingFiles = .drop
      options.lane = isForcedToRows ? .row : .automatic
      let name = "new-\(isForcedToRows).sqlite"
      #expect(try trial.run(to: name, options: options).warnings.all.map(\.code).first == "STO-312")
      let photos = try StoreContents(path: trial.directory.path(name), model: trial.destination)
      #expect(
        photos["Photo"].map { $0["image"] }
          == [.null, .blob(Self.contents(1)), .blob([9, 9]), .null])
    }
  }

  @Test func `a default of external storage gets its marker in both lanes`() throws {
    let image = Attribute(
      name: "image", type: .binary, defaultValue: .blob([5, 6]),
      allowsExternalBinaryDataStorage: true)
    let trial = try Trial(
      Self.model("1", isExternal: false), Model("2", [Entity("Photo", [image])]),
      [mapping(#"{"type": "transform", "source": "Photo", "destination": "Photo"}"#)]
    ) { try $0.insert("Photo", ["size": 1]) }
    #expect(try trial.migrate().contents["Photo"].map { $0["image"] } == [.blob([1, 5, 6])])
  }

  @Test
  func `computing with a value that may be a file is refused, asking whether it is nil is not`()
    throws
  {
    let destination = Self.model("2", [Attribute(name: "has", type: .boolean)])
    let asking = try Self.trial(
      Self.model("1"), destination,
      """
      {"type": "copy", "source": "Photo", "destination": "Photo",
       "attributes": {"has": "TERNARY($source.image = nil, NO, YES)"}}
      """)
    let found = try asking.migrate().contents["Photo"].map { $0["has"] }
    #expect(found == [1, 1, 1, 0])
    let computing = try Self.trial(
      Self.model("1"), destination,
      """
      {"type": "copy", "source": "Photo", "destination": "Photo",
       "attributes": {"image": "TERNARY($source.size > 1, $source.image, nil)"}}
      """)
    #expect(try computing.failure().codes == ["STO-318"])
  }

  @Test func `a value without a marker is carried over and reported`() throws {
    let trial = try Trial(
      Self.model("1"), Self.model("2", [.text("title")]), [mapping(Self.copy)]
    ) { try $0.insert("Photo", ["image": .blob([9, 1, 2])]) }
    let (contents, report) = try trial.migrate()
    #expect(contents["Photo"].map { $0["image"] } == [.blob([9, 1, 2])])
    #expect(report.warnings.all.map(\.code) == ["STO-319"])
  }

  /// Makes a value without the marker.
  struct Forgetful: MigrationPolicy {
    init(mapping: PolicyMapping) {}
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]

    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      var made = try context.defaultDestination(for: source)
      try made.set("image", to: .blob([0xFF, 0xD8]))
      try context.insert(made, for: source)
    }
  }

  @Test func `values that a policy makes without a marker are reported`() throws {
    let trial = try Trial(
      Self.model("1"), Self.model("2", [.text("title")]),
      [
        mapping(
          """
          {"type": "custom", "source": "Photo", "destination": "Photo",
           "policy": {"name": "Forgetful"}}
          """)
      ], policies: [Forgetful.self]
    ) { try $0.insert("Photo", ["size": 1]) }
    #expect(try trial.migrate().report.warnings.all.map(\.code) == ["STO-319"])
  }

  @Test func `an interrupted run gives the files over all the same`() throws {
    let trial = try Self.trial()
    for name in try Interruptions.anyBatches(of: trial) {
      let unit = StoreUnit(path: trial.directory.path(name))
      let report = try StoreFile.open(path: unit.path).externalData(of: trial.destination)
      #expect(report?.files == 2)
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `a fault at any operation loses no file, and a second run ends well`(
    isInPlace: Bool, canLink: Bool
  ) throws {
    var stop = 0
    var slice = FaultSlice("ExternalDataTests")
    while true {
      stop = slice.next(after: stop)
      let trial = try Self.trial(files: [0, 1, 5])
      let faults = FaultyFiles(failing: stop, isLasting: true)
      let failing = FileSystem(willPerform: { operation, path in
        try faults.perform(operation, path)
        if operation == .link, !canLink, path.contains("_EXTERNAL_DATA") {
          throw FileSystem.Failure(operation: operation, path: path, errorNumber: 1)
        }
      })
      let target: MigrationDestination =
        isInPlace ? .inPlace : .file(trial.directory.path("new.sqlite"))
      do {
        _ = try trial.migration(to: target, files: failing).run(control: RunControl())
        if !faults.hasFailed { break }
      } catch let error as MigrationError {
        #expect(error.kind == .inputOutput, "\(faults.last)")
      }
      for number in [0, 1, 5] {
        #expect(trial.directory.contents(file("old", number)) == Self.contents(number))
      }
      try runAgain(trial, to: target)
      let units =
        isInPlace ? ["old.sqlite", "old.sqlite.before-1"] : ["old.sqlite", "new.sqlite"]
      for name in units {
        let folder = StoreUnit(path: trial.directory.path(name)).externalDataPath
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            == [0, 1, 5].map { Self.names[$0] }, "\(faults.last)")
      }
      for number in [0, 1, 5] {
        #expect(
          trial.directory.contents(file(isInPlace ? "old" : "new", number))
            == Self.contents(number))
      }
    }
    #expect(stop > 20)
  }

  /// Runs, and again while the lock is held: a process that another test starts in this instant
  /// inherits it until it has become its own program.
  private func runAgain(_ trial: Trial, to target: MigrationDestination) throws {
    for attempt in 1... {
      do {
        _ = try trial.migration(to: target).run(control: RunControl())
        return
      } catch let error as MigrationError where error.codes == ["RUN-010"] && attempt < 1_000 {
        continue
      }
    }
  }

  @Test func `files are read by a later step too`() throws {
    let third = Self.model("3", isExternal: false, [.text("title")])
    let trial = try Trial(
      Self.model("1"), third, between: [Self.model("2", [.text("title")])],
      [mapping(Self.copy, named: "One"), mapping(Self.copy, named: "Two", from: "2", to: "3")]
    ) { try $0.insert("Photo", ["image": Self.reference(Self.names[1])]) }
    try FileManager.default.createDirectory(
      atPath: trial.directory.path(".old_SUPPORT/_EXTERNAL_DATA"),
      withIntermediateDirectories: true)
    try trial.directory.write(Self.contents(1), to: file("old", 1))
    let photos = try trial.migrate().contents["Photo"]
    #expect(photos.map { $0["image"] } == [.blob(Self.contents(1))])
  }

  @Test func `comparing two stores compares their files`() throws {
    let trial = try Self.trial()
    let files = FileSystem(willPerform: { operation, path in
      if operation == .link, path.contains("_EXTERNAL_DATA") {
        throw FileSystem.Failure(operation: operation, path: path, errorNumber: 1)
      }
    })
    try trial.run(files: files)
    try trial.run(to: "other.sqlite", files: files)
    func compare() throws -> ComparisonReport {
      try StoreComparison(
        expected: StoreFile.open(path: trial.directory.path("new.sqlite")),
        found: StoreFile.open(path: trial.directory.path("other.sqlite")),
        model: trial.destination
      ).run()
    }
    #expect(try compare().isEqual)
    #expect(try compare().parts.contains { $0.expectedCount == 2 && $0.foundDigest == nil })
    try trial.directory.write(Array(repeating: 3, count: 5_000), to: file("other", 1))
    let report = try compare()
    #expect(report.differenceCount == 1)
    #expect(report.differences.map(\.kind) == [.changedFile])
    #expect(report.differences.map(\.key) == [[2]])
    try FileManager.default.removeItem(atPath: trial.directory.path(file("other", 1)))
    #expect(try compare().differenceCount == 1)
  }
}
