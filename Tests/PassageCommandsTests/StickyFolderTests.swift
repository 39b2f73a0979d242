import Foundation
import PassageTesting
import TestSupport
import Testing

/// A store that another user may write, in a folder in which that user may create files, but replace none
/// of others: as in `/tmp`.
struct StickyFolderTests {
  /// Only a process of root can be another user.
  private static let isOtherUser = PackCommandTests.otherUser?.isEmpty == false

  private static func run(
    _ arguments: [String], in folder: String
  ) throws -> MigrateProcess.Outcome {
    let user = try #require(PackCommandTests.otherUser)
    let line = try user + [MigrateProcess.executable.path] + arguments
    return try ChildProgram.run(line[0], Array(line.dropFirst()), in: folder)
  }

  private static func permit(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test(.enabled(if: isOtherUser), arguments: [[], ["--no-backup"]])
  func `a store that cannot be replaced is refused before it gets a second name`(
    _ options: [String]
  ) throws {
    let project = try ExampleProject()
    try Self.permit(0o755, project.folder.path)
    try Self.permit(0o1777, project.path("Migrations/Sample"))
    try Self.permit(0o666, project.path(ExampleProject.sample))
    let before = project.names()
    let call = ["--mappings", "StepOne,StepTwo", "--in-place"] + options
    let outcome = try Self.run(call, in: project.folder.path)
    #expect(outcome.status == 32)
    #expect(outcome.errors.contains("STO-112") && outcome.errors.contains("sticky bit"))
    #expect(outcome.errors.contains("nothing was left behind"))
    #expect(project.names() == before)
    // Beside it a new store may be made, and without the bit it may be replaced.
    #expect(try Self.run(Array(call.prefix(2)), in: project.folder.path).status == 0)
    try FileManager.default.removeItem(atPath: project.path(ExampleProject.migrated))
    try Self.permit(0o777, project.path("Migrations/Sample"))
    #expect(try Self.run(call, in: project.folder.path).status == 0)
  }

  @Test(.enabled(if: isOtherUser))
  func `a folder in which no store may be created is said to be the reason`() throws {
    let project = try ExampleProject()
    try Self.permit(0o755, project.folder.path)
    let before = project.names()
    let outcome = try Self.run(
      ["create", "--model", "Migrations/Events 1.json", "--output", "new.sqlite"],
      in: project.folder.path)
    #expect(outcome.status == 32)
    #expect(outcome.errors.contains("new.sqlite") && outcome.errors.contains("Permission denied"))
    #expect(!outcome.errors.contains("check the disk"))
    #expect(project.names() == before)
  }

  /// The destination that verify is given is the store that it looks at.
  @Test(.enabled(if: isOtherUser))
  func `a store in a folder that cannot be written is verified as a copy elsewhere`() throws {
    let project = try ExampleProject()
    #expect(try project.migrateByName().status == 0)
    try Self.permit(0o755, project.folder.path)
    try Self.permit(0o755, project.path("Migrations/Sample"))
    try Self.permit(0o644, project.path(ExampleProject.migrated))
    let refused = try Self.run(["verify"], in: project.folder.path)
    #expect(refused.status == 32)
    #expect(refused.errors.contains("STO-112"), "\(refused.errors)")
    #expect(refused.errors.contains("name the copy with --output"), "\(refused.errors)")
    #expect(!refused.errors.contains("name a destination"), "\(refused.errors)")
    try FileManager.default.createDirectory(
      atPath: project.path("own"), withIntermediateDirectories: false)
    try Self.permit(0o777, project.path("own"))
    try project.folder.copy(project.path(ExampleProject.migrated), to: "own/copy.sqlite")
    try Self.permit(0o666, project.path("own/copy.sqlite"))
    let copy = try Self.run(["verify", "--output", "own/copy.sqlite"], in: project.folder.path)
    #expect(copy.status == 0, "\(copy.errors)")
  }

  @Test(.enabled(if: isOtherUser))
  func `files of external data that may not be looked at are not taken for missing`() throws {
    let project = try ExampleProject()
    try Self.permit(0o777, project.folder.path)
    let folder = project.path("Migrations/Sample/.Events_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    try Data("value".utf8).write(to: URL(fileURLWithPath: folder + "/\(UUID().uuidString)"))
    // Its names may be read, but not what they are.
    try Self.permit(0o444, folder)
    defer { try? Self.permit(0o755, folder) }
    let before = project.names()
    let outcome = try Self.run(
      ["--mappings", "StepOne,StepTwo", "--output", "new.sqlite"], in: project.folder.path)
    #expect(outcome.status == 32, "\(outcome.errors)")
    #expect(outcome.errors.contains("STO-112"))
    #expect(project.names() == before)
  }

  @Test(.enabled(if: isOtherUser))
  func `a folder in which no old store can be kept is refused before anything is written`() throws {
    let project = try ExampleProject()
    try Self.permit(0o755, project.folder.path)
    try Self.permit(0o777, project.path("Migrations/Sample"))
    try Self.permit(0o666, project.path(ExampleProject.sample))
    let before = project.folder.contents(ExampleProject.sample)
    let names = project.names()
    let call = ["--mappings", "StepOne,StepTwo", "--in-place", "--backup-dir"]
    let outcome = try Self.run(call + ["Mappings"], in: project.folder.path)
    #expect(outcome.status == 32, "\(outcome.errors)")
    #expect(outcome.errors.contains("STO-112") && outcome.errors.contains("--backup-dir"))
    #expect(project.folder.contents(ExampleProject.sample) == before)
    #expect(project.names() == names)
    let file = try Self.run(call + ["Mappings/StepOne.json"], in: project.folder.path)
    #expect(file.status == 64 && file.errors.contains("it is a file"), "\(file.errors)")
  }
}
