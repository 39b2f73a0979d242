import Foundation
import Passage
import TestSupport
import Testing

@testable import PassageCommands

struct PrivateFolderTests {
  @Test func `only its owner can enter it, and it goes with what is in it`() throws {
    let folder = try PrivateFolder()
    let rights = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions]
    #expect((rights as? NSNumber)?.intValue == 0o700)
    try Data("a".utf8).write(to: URL(fileURLWithPath: folder.path + "/a"))
    #expect(folder.remove() == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `what cannot be removed is told by its path`() throws {
    let folder = try PrivateFolder()
    try FileManager.default.removeItem(atPath: folder.path)
    try Data().write(to: URL(fileURLWithPath: folder.path))
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    let problem = try #require(folder.remove())
    #expect(problem.code == "CMD-084" && problem.severity == .warning)
    let command = try #require(problem.remedy?.split(separator: ": ").last)
    #expect(command.hasPrefix("rm -r "))
    #expect(try ChildProgram.run("/bin/sh", ["-c", String(command)], in: "/").status == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }
}
