import Testing

@testable import PassageSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// SQLite does not keep the system's error of every call that failed: of a commit it forgets it.
struct SystemErrorTests {
  /// `SQLITE_IOERR_WRITE`.
  private static let writeFailed: Int32 = 10 | 3 << 8

  @Test(arguments: [(ENOSPC, true), (EDQUOT, true), (EIO, false)])
  func `an error that SQLite keeps no number of has that of the thread`(
    number: Int32, isFull: Bool
  ) throws {
    let connection = try Connection(path: "", mode: .create)
    errno = number
    let error = connection.error(Self.writeFailed)
    #expect(error.systemErrorNumber == number)
    #expect(error.isDiskFull == isFull)
  }

  @Test func `an error that does not come from the system has no number`() throws {
    let connection = try Connection(path: "", mode: .create)
    errno = ENOSPC
    let error = connection.error(1)
    #expect(error.systemErrorNumber == 0)
    #expect(!error.isDiskFull)
  }
}
