package import PassageDiagnostics
package import PassageEngine
internal import PassageFiles

/// Reads a ledger line by line. Ledgers that were put together are one ledger. Not shared between
/// threads.
package struct LedgerReader {
  private let path: String
  private var lines: LineReader?
  private var number = 0
  /// Lines that were not written to their end, because a run was killed or the disk was full.
  package private(set) var torn = Diagnostics()

  /// - Parameter mustExist: whether a file that does not exist is refused; otherwise it has no lines.
  /// - Throws: ``MigrationError`` with `FLT-011` for a file that cannot be read.
  package init(_ path: String, mustExist: Bool = false) throws(MigrationError) {
    self.path = path
    if !mustExist, FileSystem().entry(path) == nil { return }
    do {
      let status = try FileSystem.status(path)
      guard status.kind == .file else {
        throw Self.refusal(LedgerEntry.wrong("it is no ordinary file", path))
      }
      lines = LineReader(try FileReader(path), limit: LedgerEntry.maximumLineBytes)
    } catch let error as MigrationError {
      throw error
    } catch let failure as FileSystem.Failure {
      throw Self.unreadable(failure)
    } catch {
      throw MigrationError(error, store: path)
    }
  }

  /// The next entry; `nil` after the last.
  ///
  /// - Throws: ``MigrationError`` with `FLT-011` for a line that is not one of a ledger.
  package mutating func next() throws(MigrationError) -> LedgerEntry? {
    while let line = try line() {
      number += 1
      // A power failure may leave the length of what was appended without its bytes.
      let bytes = line.bytes.drop { $0 == 0 }
      if bytes.count < line.bytes.count { noteTorn() }
      if bytes.isEmpty { continue }
      do throws(Diagnostic) {
        if line.isCut { throw LedgerEntry.wrong("the line is too long", path) }
        return try LedgerEntry(reading: bytes, file: path)
      } catch {
        var error = error
        error.location = SourceLocation(file: path, line: number)
        guard !line.isCut, Self.isBeginning(bytes) else { throw Self.refusal(error) }
        if bytes.count == line.bytes.count { noteTorn() }
      }
    }
    return nil
  }

  private mutating func line() throws(MigrationError) -> LineReader.Line? {
    do throws(FileSystem.Failure) {
      return try lines?.next()
    } catch {
      throw Self.unreadable(error)
    }
  }

  /// What every line begins with.
  private static let start = Array(#"{ "store": ""#.utf8)

  /// The bytes of a file by which it is known as a ledger.
  package static let shownBytes = 128 << 10

  /// Whether the first bytes of a file are those of a ledger with a line, which may have been torn, or after
  /// one that was, or after zeros that a power failure left.
  package static func isLedger(_ bytes: [UInt8]) -> Bool {
    bytes.split(whereSeparator: { $0 == 0 || $0 == UInt8(ascii: "\n") })
      .contains { $0.starts(with: start) }
  }

  /// Whether a line is the beginning of one of a ledger: it begins so, and it is not complete.
  private static func isBeginning(_ line: ArraySlice<UInt8>) -> Bool {
    guard zip(line, start).allSatisfy({ $0 == $1 }) else { return false }
    return (try? JSONParser.parse(Array(line), file: "")) == nil
  }

  private mutating func noteTorn() {
    torn.append(
      Diagnostic(
        "FLT-012", "a line of the ledger was not written to its end", severity: .warning,
        at: SourceLocation(file: path, line: number),
        reason: "a run was killed or the disk was full while it was written",
        remedy: "no action is needed: what became of the store, the store itself records"))
  }

  private static func refusal(_ diagnostic: Diagnostic) -> MigrationError {
    MigrationError(.wrongCall, diagnostic, diskState: "nothing was written")
  }

  private static func unreadable(_ failure: FileSystem.Failure) -> MigrationError {
    if failure.isOfSystem {
      var error = MigrationError(failure, store: failure.path)
      error.diskState = "nothing was written"
      return error
    }
    return refusal(
      Diagnostic(
        "FLT-011", "the ledger cannot be read", at: SourceLocation(file: failure.path),
        reason: "\(failure)",
        remedy: "check the path and its permissions, or name another file as the ledger"))
  }
}
