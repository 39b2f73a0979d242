import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// A pre-filled store in a folder `bundle`, and an empty folder `app` beside it.
struct PrefilledStore {
  let directory: TemporaryDirectory

  static let source = Model("1", entities())
  static let destination = Model("2", entities([.text("title")]))

  private static func entities(_ more: [Attribute] = []) -> [Entity] {
    [
      Entity(
        "Photo",
        [
          Attribute(name: "image", type: .binary, allowsExternalBinaryDataStorage: true),
          .number("size"),
        ] + more, [.many("tags", "Tag", inverse: "photos")]),
      Entity("Tag", [.text("name")], [.many("photos", "Photo", inverse: "tags")]),
    ]
  }

  /// What lies in the folder `bundle` besides the store.
  enum State: String, CaseIterable {
    case quietLog
    case hotLog
    case rollbackJournal
    case hotJournal
  }

  static let files = ExternalDataTests.names.prefix(3)

  /// - Parameters:
  ///   - isShuffled: whether the same contents are written in another order, with rows and pages that
  ///     are deleted again.
  init(_ state: State = .quietLog, isShuffled: Bool = false, orphans: Int = 0) throws {
    directory = try TemporaryDirectory()
    for name in ["bundle/.Default_SUPPORT/_EXTERNAL_DATA", "app"] {
      try FileManager.default.createDirectory(
        atPath: directory.path(name), withIntermediateDirectories: true)
    }
    let store = try TestStore(
      model: Self.source, at: path,
      journalMode: [.quietLog, .hotLog].contains(state) ? .wal : .delete)
    try Self.fill(store, isShuffled: isShuffled)
    try store.close(isLogKept: state == .hotLog)
    for (number, name) in (Self.files + ExternalDataTests.names.suffix(orphans)).enumerated() {
      try directory.write(
        Array(repeating: UInt8(number), count: 9_000 + number),
        to: "bundle/.Default_SUPPORT/_EXTERNAL_DATA/\(name)")
    }
    if state == .hotJournal { try leaveJournal() }
  }

  private static func fill(_ store: TestStore, isShuffled: Bool) throws {
    if isShuffled {
      for number: Int64 in 1...300 {
        try store.insert("Tag", ["name": .text("junk\(number)")], key: number + 50)
      }
      try store.execute("DELETE FROM ZTAG; DELETE FROM ZPHOTO")
    }
    let keys = Array(1...40) as [Int64]
    for key in isShuffled ? keys.reversed() : keys {
      try store.insert("Tag", ["name": .text("t\(key)")], key: key)
    }
    for (number, name) in files.enumerated() {
      try store.insert(
        "Photo", ["image": ExternalDataTests.reference(name), "size": .integer(Int64(number))],
        key: Int64(number + 1))
    }
    let photo = ObjectReference(entityName: "Photo", key: 1)
    for key in isShuffled ? keys.reversed() : keys where key % 3 > 0 {
      try store.relate(photo, "tags", to: [ObjectReference(entityName: "Tag", key: key)])
    }
    if isShuffled {
      // Z_MAX is content: what was given out and deleted does not count here.
      try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
    }
  }

  /// Leaves the journal of a transaction whose program was killed while it wrote the main file.
  private func leaveJournal() throws {
    let kept = path + ".kept"
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE")
      try connection.execute("UPDATE ZTAG SET ZNAME = ZNAME || hex(zeroblob(900))")
      for sidecar in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: path + sidecar, toPath: kept + sidecar)
      }
      try connection.execute("ROLLBACK")
    }
    for sidecar in ["", "-journal"] {
      try? FileManager.default.removeItem(atPath: path + sidecar)
      try FileManager.default.moveItem(atPath: kept + sidecar, toPath: path + sidecar)
    }
  }

  var path: String { directory.path("bundle/Default.sqlite") }
  var installedPath: String { directory.path("app/Store.sqlite") }

  /// Every file of a folder with its bytes.
  func contents(_ folder: String) -> [String: [UInt8]] {
    let names = FileManager.default.subpaths(atPath: directory.path(folder)) ?? []
    return Dictionary(
      names.map { ($0, directory.contents("\(folder)/\($0)") ?? []) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The names of everything in the folder `app`.
  var installedNames: [String] { contents("app").keys.sorted() }

  static let wholeNames =
    ["", "/_EXTERNAL_DATA"].map { ".Store_SUPPORT\($0)" }
    + files.map { ".Store_SUPPORT/_EXTERNAL_DATA/\($0)" } + ["Store.sqlite"]

  // MARK: Installing

  func installation(
    to path: String? = nil, target: Model? = nil, models: [Model] = [source, destination],
    options: InstallationOptions = InstallationOptions(), files: FileSystem = FileSystem(),
    route: @escaping StoreInstallation.Route = { _ in [] }
  ) -> StoreInstallation {
    StoreInstallation(
      sourcePath: self.path, destinationPath: path ?? installedPath, target: target,
      models: Dictionary(models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
      options: options, files: files, route: route)
  }

  @discardableResult
  func install(
    to path: String? = nil, target: Model? = nil,
    options: InstallationOptions = InstallationOptions(), files: FileSystem = FileSystem(),
    control: RunControl = RunControl(), route: @escaping StoreInstallation.Route = { _ in [] }
  ) throws -> InstallationReport {
    let before = contents("bundle")
    defer { #expect(contents("bundle") == before, "the pre-filled store was changed") }
    return try installation(
      to: path, target: target, options: options, files: files, route: route
    ).run(control: control)
  }

  static let route: StoreInstallation.Route = { _ in
    [
      try mapping(
        """
        {"type": "copy", "source": "Photo", "destination": "Photo"},
        {"type": "copy", "source": "Tag", "destination": "Tag"}
        """)
    ]
  }

  func failure(
    to path: String? = nil, target: Model? = nil,
    options: InstallationOptions = InstallationOptions(), files: FileSystem = FileSystem(),
    route: @escaping StoreInstallation.Route = { _ in [] }
  ) throws -> MigrationError {
    try #require(throws: MigrationError.self) {
      try install(to: path, target: target, options: options, files: files, route: route)
    }
  }

  // MARK: Packing

  @discardableResult
  func pack(
    to name: String = "packed/Default.sqlite", options: PackingOptions = PackingOptions(),
    model: PackingModel? = PackingModel(source), files: FileSystem = FileSystem(),
    control: RunControl = RunControl()
  ) throws -> PackingReport {
    let folder = StoreUnit(path: directory.path(name)).folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let before = contents("bundle")
    defer { #expect(contents("bundle") == before, "the live store was changed") }
    return try StorePacking(
      storePath: path, outputPath: directory.path(name), options: options, files: files,
      findModel: { path in try model ?? StorePacking.find(nil, path) }
    ).run(control: control)
  }

  func packFailure(
    options: PackingOptions = PackingOptions(), model: PackingModel? = PackingModel(source),
    files: FileSystem = FileSystem()
  ) throws -> MigrationError {
    try #require(throws: MigrationError.self) {
      try pack(options: options, model: model, files: files)
    }
  }
}
