internal import Foundation
internal import Passage
internal import PassageTesting

/// Migrates one damaged store in a process of its own and judges how it ended.
struct DamageTrial {
  let subject: DamageSubject
  let program: String

  /// A process may take so many seconds; a whole store takes less than one.
  private static let seconds = 60.0

  /// How it ended.
  struct Result: Sendable {
    var status: Int32
    var mistakes: [String]
  }

  /// The exit statuses a damaged store may have: its model is not found, no mapping fits, it is
  /// damaged, its values are not valid. A bug (1) or a file of the user's (65) is none of them.
  private static let clearStatuses: Set<Int32> = [0, 20, 22, 40, 41]

  func run(_ variation: DamageVariation) throws -> Result {
    let copy = try StoreCopy(of: subject.path, hasLog: variation.kind != .withoutLog)
    try change(copy, variation)
    let seal = try FolderSeal(path: copy.folder)
    let output = try TemporaryDirectory()
    let destination = output.path("migrated.sqlite")
    var arguments = ["run", "--store", copy.path, "--output", destination]
    for path in subject.modelPaths { arguments += ["--models", path] }
    arguments += ["--to", subject.destination.name, "--infer", "--progress", "none"]
    let process = try ChildProcess.run(program, arguments, seconds: Self.seconds)
    var mistakes: [String] = []
    if process.isStopped { mistakes.append("it did not end within \(Self.seconds) s") }
    if process.isSignal { mistakes.append("it crashed with signal \(process.status)") }
    if !Self.clearStatuses.contains(process.status) || process.isSignal {
      mistakes.append("it ended with status \(process.status): \(process.firstError)")
    }
    if variation.kind.isWhole, process.status != 0 {
      mistakes.append("the store is whole, and was refused: \(process.firstError)")
    }
    if variation.kind == .cutOff, !subject.hasLog, process.status != 40 {
      mistakes.append("it ended with status \(process.status), not 40: \(process.firstError)")
    }
    if process.status != 0, !process.firstError.contains("error[") {
      mistakes.append("it told no diagnostic: \(process.firstError)")
    }
    if process.status == 0 {
      // A link that the damage made lead nowhere is kept as it is.
      mistakes += try StoreAudit(path: destination, model: subject.destination).findings
        .filter { variation.kind.isWhole || !$0.contains("lead astray") }
        .map { "the result: \($0)" }
    } else if !output.names.isEmpty {
      mistakes.append("it left \(output.names.joined(separator: ", "))")
    }
    mistakes += try seal.changes().filter { !$0.hasSuffix("-shm") }
      .map { "it changed the source's \($0)" }
    return Result(status: process.status, mistakes: mistakes)
  }

  private func change(_ copy: StoreCopy, _ variation: DamageVariation) throws {
    let url = URL(fileURLWithPath: copy.path)
    switch variation.kind {
    case .asItIs, .withoutLog: break
    case .readOnly:
      for name in copy.names {
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o400], ofItemAtPath: copy.path(name))
      }
    case .otherJournalMode:
      let isLogged = try Data(contentsOf: url).prefix(20).suffix(1) == Data([2])
      try sqlite(copy.path, "PRAGMA journal_mode = \(isLogged ? "DELETE" : "WAL")")
    case .vacuumed: try sqlite(copy.path, "VACUUM")
    case .cutOff:
      let handle = try FileHandle(forWritingTo: url)
      try handle.truncate(atOffset: UInt64(variation.length))
      try handle.close()
    case .changedBytes:
      var data = try Data(contentsOf: url)
      for change in variation.changes { data[change.offset] = change.byte }
      try data.write(to: url)
    }
  }

  private func sqlite(_ path: String, _ sql: String) throws {
    let process = try ChildProcess.run("sqlite3", [path, sql], seconds: Self.seconds)
    guard process.status == 0 else { throw ToolFailed(description: process.firstError) }
  }

  private struct ToolFailed: Error, CustomStringConvertible {
    var description: String
  }
}
