package import PassageDiagnostics
package import PassageEngine
internal import PassageFiles

/// Reads a ledger line by line. Ledgers that were put together are one ledger. Not shared between
/// threads.
package struct LedgerReader {
  private let path: String
  private var lines: LineReader?
  private var number = 0
  /// Entries of the last line that were not asked for yet.
  private var found: ArraySlice<LedgerEntry> = []
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
      // A line that was not finished may be followed by another one.
      lines = LineReader(try FileReader(path), limit: 2 * LedgerEntry.maximumLineBytes)
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
    while true {
      if let entry = found.popFirst() { return entry }
      guard let line = try line() else { return nil }
      number += 1
      if line.isCut { throw refusal(LedgerEntry.wrong("the line is too long", path)) }
      found = try entries(of: line.bytes)[...]
    }
  }

  /// The entries of a line. Where ledgers were put together, the line that one could not finish is
  /// followed by the first of the next, without a break.
  private mutating func entries(
    of line: ArraySlice<UInt8>
  ) throws(MigrationError) -> [LedgerEntry] {
    if let entry = try? LedgerEntry(reading: line, file: path) { return [entry] }
    var entries: [LedgerEntry] = []
    for piece in Self.pieces(of: line) {
      // A power failure may leave the length of what was appended without its bytes.
      let text = Self.withoutZeros(piece)
      do throws(Diagnostic) {
        if !text.isEmpty { entries.append(try LedgerEntry(reading: text, file: path)) }
        if text.count < piece.count { noteTorn() }
      } catch {
        guard Self.isBeginning(text) else { throw refusal(error) }
        noteTorn()
      }
    }
    return entries
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
    bytes.split(whereSeparator: { $0 == 0 || $0 == UInt8(ascii: "\n") }).contains { line in
      let pieces = pieces(of: line)
      return pieces[0].starts(with: start) || pieces.count > 1 && start.starts(with: pieces[0])
    }
  }

  /// The pieces of a line that each begin as a line does; only the first one may not. Within a line nothing
  /// looks like its beginning, because there quotation marks of names and messages have a backslash.
  private static func pieces(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var piece = line
    var rest = line.dropFirst()
    while let brace = rest.firstIndex(of: start[0]) {
      rest = rest[brace...]
      if rest.starts(with: start) {
        pieces.append(piece[..<brace])
        piece = rest
      }
      rest = rest.dropFirst()
    }
    return pieces + [piece]
  }

  private static func withoutZeros(_ piece: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = piece.firstIndex(where: { $0 != 0 }),
      let last = piece.lastIndex(where: { $0 != 0 })
    else { return [] }
    return piece[first...last]
  }

  /// Whether a text is the beginning of a line, however short: it begins so, and it is not complete.
  private static func isBeginning(_ text: ArraySlice<UInt8>) -> Bool {
    guard zip(text, start).allSatisfy({ $0 == $1 }) else { return false }
    return (try? JSONParser.parse(Array(text), file: "")) == nil
  }

  private mutating func noteTorn() {
    torn.append(
      Diagnostic(
        "FLT-012", "a line of the ledger was not written to its end", severity: .warning,
        at: SourceLocation(file: path, line: number),
        reason: "a run was killed or the disk was full while it was written",
        remedy: "no action is needed: what became of the store, the store itself records"))
  }

  /// Refuses the line that was read last.
  private func refusal(_ mistake: Diagnostic) -> MigrationError {
    var mistake = mistake
    mistake.location = SourceLocation(file: path, line: number)
    return Self.refusal(mistake)
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
