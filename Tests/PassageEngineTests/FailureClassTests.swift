import Foundation
import PassageDiagnostics
import PassageFiles
import PassageSQLite
import PassageStores
import TestSupport
import Testing

@testable import PassageEngine

/// One table says which class of failure a code is; nothing else has another opinion.
struct FailureClassTests {
  private static let root = URL(filePath: Repository.root)

  private static func page() throws -> String {
    let page = root.appending(path: "Sources/Passage/Passage.docc/Errors.md")
    return try String(contentsOf: page, encoding: .utf8)
  }

  /// The codes of the page that are ever an error.
  private static func errorCodes() throws -> [String] {
    try page().split(separator: "\n").compactMap { line in
      guard let match = line.prefixMatch(of: /\| `([A-Z]{3}-[0-9]{3})` \| (.*)/) else { return nil }
      let isNever = match.2.prefixMatch(of: /\*?(Warning|Note|warning)/) != nil
      return isNever ? nil : String(match.1)
    }
  }

  @Test func `who takes no destination is not told to name another one`() {
    let failure = FileSystem.Failure(operation: .write, path: "/folder/file", errorNumber: 13)
    let plain = MigrationError(failure, store: "store")
    #expect(plain.diagnostics.first?.remedy?.contains("--output FILE") == true)
    let bare = MigrationError(failure, store: "store", elsewhere: nil)
    #expect(bare.kind == plain.kind)
    #expect(
      bare.diagnostics.first?.remedy == "give this user permission to read and write in /folder")
  }

  @Test func `every code that can be an error has a class`() throws {
    let codes = try Self.errorCodes()
    #expect(codes.count > 200)
    let missing = codes.filter { MigrationError.Kind(code: $0) == nil }
    #expect(missing == [], "say the class of \(missing) in FailureClass.swift")
  }

  /// The page's table: a code that is in a row, else its group's letters.
  @Test func `the page of errors gives every code the status that it has`() throws {
    var statuses: [String: Int32] = [:]
    for line in try Self.page().split(separator: "\n") {
      guard let row = line.prefixMatch(of: /\| ([0-9]+) \| `\w+` \| (.*) \|/),
        let status = Int32(row.1)
      else { continue }
      for match in row.2.matches(of: /`([A-Z]{3}(-[0-9]{3})?)`/) {
        #expect(statuses.updateValue(status, forKey: String(match.1)) == nil, "\(match.1)")
      }
    }
    for code in try Self.errorCodes() {
      let told = statuses[code] ?? statuses[String(code.prefix(3))]
      #expect(told == MigrationError.Kind(code: code)?.rawValue, "\(code)")
    }
  }

  /// The text is SQLite's; a value has nothing to do with it.
  @Test(arguments: [
    ("attached databases must use the same text encoding as main database", "STO-110"),
    ("too many attached databases - max 10", "RUN-008"),
  ])
  func `a file that cannot be attached is not told as a value`(message: String, code: String) {
    let error = SQLiteError(code: 1, message: message, sql: "ATTACH DATABASE ? AS \"source\"")
    #expect(MigrationError(error, store: "a").codes == [code])
  }

  @Test(arguments: MigrationError.Kind.allCases)
  func `an error is an NSError with the exit status of its kind`(kind: MigrationError.Kind) {
    let error: any Error = MigrationError(kind, Diagnostic("RUN-099", "a mistake"))
    #expect((error as NSError).code == Int(kind.rawValue))
    #expect((error as NSError).domain == "PassageEngine.MigrationError")
    #expect(error.localizedDescription == "a mistake")
  }

  /// Where sources name a class beside a code, it is the table's.
  @Test func `no place of the sources gives a code another class`() throws {
    let names = Dictionary(
      uniqueKeysWithValues: MigrationError.Kind.allCases.map { ("\($0)", $0) })
    let pattern = /MigrationError\(\s*\.(\w+),\s*Diagnostic\(\s*"([A-Z]{3}-[0-9]{3})"/
    let sources = Self.root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
    var found = 0
    for case let file as String in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      for match in text.matches(of: pattern) {
        found += 1
        #expect(
          names[String(match.1)] == MigrationError.Kind(code: String(match.2)),
          "\(file): \(match.2)")
      }
    }
    #expect(found > 20)
  }

  @Test func `one error and a list of one are the same failure`() throws {
    for code in try Self.errorCodes() {
      let one = Diagnostic(code, "wrong")
      let errors: [any Error] = [one, Diagnostics([one]), MigrationError(one)]
      #expect(Set(errors.map { MigrationError($0, store: "").kind }).count == 1, "\(code)")
    }
  }

  @Test(arguments: [
    (["STO-110", "STO-304"], MigrationError.Kind.sourceDamaged),
    (["MAP-010", "RUN-001"], .wrongFile), (["PLN-016", "ATM-006"], .sourceModelUnknown),
    (["RUN-043", "RUN-042"], .policyFailed), (["PLN-021", "INF-004"], .noMapping),
    (["OWN-001"], .policyFailed), ([], .bug),
  ])
  func `of several classes the one to fix first is reported`(
    codes: [String], kind: MigrationError.Kind
  ) {
    for codes in [codes, codes.reversed()] {
      #expect(Diagnostics(codes.map { Diagnostic($0, "wrong") }).failureKind == kind)
    }
  }

  @Test(arguments: StoreError.Kind.allCases)
  func `damage is what the table calls damage`(kind: StoreError.Kind) {
    let error = StoreError(kind, path: "a.sqlite")
    let failure = MigrationError(error, store: "")
    #expect((failure.kind == .sourceDamaged) == error.isDamage)
    #expect(failure.kind != .bug)
  }

  // SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC, SQLITE_CANTOPEN.
  private static let full: [(Int32, Int32)] = [
    (13, 0), (13, ENOSPC), (778, ENOSPC), (778, EDQUOT), (1_034, EDQUOT), (14, ENOSPC),
  ]

  @Test(arguments: full)
  func `a full disk is reported as one whichever call found it`(code: Int32, systemError: Int32) {
    let error = SQLiteError(code: code, message: "", systemErrorNumber: systemError)
    let failures: [any Error] = [error, StoreError(error, path: "a.sqlite")]
    #expect(failures.allSatisfy { MigrationError($0, store: "").kind == .diskTooSmall })
  }

  @Test(arguments: FileSystem.Operation.allCases)
  func `the system's own calls tell no room, no right and the rest apart`(
    operation: FileSystem.Operation
  ) {
    for (number, code, kind) in [
      (ENOSPC, "RUN-006", MigrationError.Kind.diskTooSmall), (EDQUOT, "RUN-006", .diskTooSmall),
      (EACCES, "STO-112", .inputOutput), (EPERM, "STO-112", .inputOutput),
      (EROFS, "STO-112", .inputOutput), (EIO, "RUN-007", .inputOutput),
    ] {
      let failure = FileSystem.Failure(
        operation: operation, path: "folder/a.sqlite", errorNumber: number)
      let error = MigrationError(failure, store: "")
      #expect(error.kind == kind)
      #expect(error.diagnostics.all.map(\.code) == [code])
      #expect(error.diagnostics.all.allSatisfy { $0.remedy != nil })
      let remedy = error.diagnostics.first?.remedy
      #expect((code == "STO-112") == (remedy?.contains("for a fleet a folder") == true))
      #expect((MigrationError(StoreError(failure, path: "a"), store: "").kind == kind))
    }
  }

  private static let unread: [(Int32, String?)] = [
    (EIO, "MOD-133"), (EINTR, "MOD-133"), (ENOMEM, "MOD-133"), (ESTALE, "MOD-133"),
    (EMFILE, "STO-160"), (ENFILE, "STO-160"), (ENOENT, nil), (ENOTDIR, nil), (EISDIR, nil),
    (EACCES, nil), (ELOOP, nil), (ENXIO, nil), (ESPIPE, nil),
  ]

  @Test(arguments: unread)
  func `a file that the system fails to read is no mistake in it`(number: Int32, code: String?) {
    let failure = FileSystem.Failure(operation: .read, path: "a.json", errorNumber: number)
    let diagnostic = failure.systemDiagnostic
    #expect(diagnostic?.code == code)
    #expect(diagnostic.map { $0.failureKind == .inputOutput } ?? true)
    // No other store is taken in place of one that the system fails to read.
    if code != nil { #expect(StoreError(failure, path: "a.sqlite").isOfSystem) }
  }

  // SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_READONLY_DBMOVED, SQLITE_IOERR_ACCESS.
  private static let refused: [(Int32, Int32)] = [
    (14, EACCES), (14, EROFS), (8, 0), (1_032, 0), (3_338, EPERM),
  ]

  @Test(arguments: refused)
  func `a missing right is reported as one by SQLite too`(code: Int32, systemError: Int32) {
    let error = SQLiteError(code: code, message: "", systemErrorNumber: systemError)
    let failure = MigrationError(error, store: "a.sqlite")
    #expect(failure.diagnostics.all.map(\.code) == ["STO-112"])
    #expect(StoreError(error, path: "a.sqlite").kind == .permissionDenied)
  }

  @Test func `a full disk is not blamed on the object that met it`() {
    let full = SQLiteError(code: 13, message: "")
    for hook in [MigrationHook.createDestinationInstances, nil] {
      let failure = RowFailure(hook: hook, mapping: "m", entity: "E", key: 1, underlying: full)
      #expect(!failure.isOfObject)
    }
  }
}
