internal import Foundation
internal import Passage
internal import PassageTesting

/// Migrates one damaged store in a process of its own and judges how it ended.
struct DamageTrial {
  let subject: DamageSubject
  let program: String

  /// A process may take so many seconds; a whole store takes less than one.
  private static let seconds = 60.0

  /// The first bytes of every database: https://www.sqlite.org/fileformat2.html#magic_header_string.
  private static let magic = Data("SQLite format 3\0".utf8)

  /// How it ended.
  struct Result: Sendable {
    var status: Int32
    var mistakes: [String]
  }

  func run(_ variation: DamageVariation) throws -> Result {
    let copy = try StoreCopy(of: subject.path, hasLog: variation.kind != .withoutLog)
    try change(copy, variation)
    // What does not begin as a database does is another kind of file, not a damaged one.
    let isDatabase =
      try FileHandle(forReadingFrom: URL(fileURLWithPath: copy.path))
      .read(upToCount: Self.magic.count) == Self.magic
    let seal = try FolderSeal(path: copy.folder)
    let output = try TemporaryDirectory()
    let call = variation.call
    let arguments = call.arguments(subject, path: copy.path, output: output.path)
    let process = try ChildProcess.run(program, arguments, seconds: Self.seconds)
    var mistakes: [String] = []
    if process.isStopped { mistakes.append("it did not end within \(Self.seconds) s") }
    if process.isSignal { mistakes.append("it crashed with signal \(process.status)") }
    let clear = call.clearStatuses.union(isDatabase ? [] : [65])
    if !clear.contains(process.status) || process.isSignal {
      mistakes.append("it ended with status \(process.status): \(process.firstError)")
    }
    if process.status == 65, isDatabase, process.firstError.contains("error[STO-") {
      mistakes.append("a damaged store is reported as a wrong file: \(process.firstError)")
    }
    if variation.kind.isWhole, process.status != 0 {
      mistakes.append("the store is whole, and was refused: \(process.firstError)")
    }
    let refusals: Set<Int32> = isDatabase ? [40] : [40, 65]
    if variation.kind == .cutOff, !subject.hasLog, !refusals.contains(process.status) {
      mistakes.append("it ended with status \(process.status), not 40: \(process.firstError)")
    }
    // What "status" found out is its result.
    if process.status != 0, call != .status || process.status == 40,
      !process.firstError.contains("error[")
    {
      mistakes.append("it told no diagnostic: \(process.firstError)")
    }
    if process.status == 0, call.isMigration {
      mistakes += try judge(output, variation)
      mistakes += try verify(copy, output, variation)
    } else if process.status != 0, !output.names.isEmpty {
      mistakes.append("it left \(output.names.joined(separator: ", "))")
    }
    mistakes += try seal.changes().filter { !$0.hasSuffix("-shm") }
      .map { "it changed the source's \($0)" }
    return Result(status: process.status, mistakes: mistakes)
  }

  /// What is wrong with a migrated store in itself.
  private func judge(_ output: TemporaryDirectory, _ variation: DamageVariation) throws -> [String]
  {
    // A link that the damage made lead nowhere is kept as it is.
    try StoreAudit(path: output.path("migrated.sqlite"), model: subject.destination).findings
      .filter { variation.kind.isWhole || !$0.contains("lead astray") }
      .map { "the result: \($0)" }
  }

  /// Compares a migrated store with its source by the lane that reads object by object, which sees
  /// some damage that the other does not meet.
  private func verify(
    _ copy: StoreCopy, _ output: TemporaryDirectory, _ variation: DamageVariation
  ) throws -> [String] {
    let process = try ChildProcess.run(
      program, DamageCall.verification(subject, path: copy.path, output: output.path),
      seconds: Self.seconds)
    let isClear = process.status == 0 || !variation.kind.isWhole && process.status == 40
    return isClear && !process.isSignal
      ? [] : ["verify ended with status \(process.status): \(process.firstError)"]
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
    case .changedCell:
      // Triggers may call functions that Core Data alone has. What SQLite refuses is left as it is.
      _ = try ChildProcess.run(
        "sqlite3", [copy.path, ".dbconfig enable_trigger off", variation.sql],
        seconds: Self.seconds)
    case .changedBytes, .changedPage:
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
