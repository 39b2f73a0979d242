internal import PassageDiagnostics
internal import PassageStores

/// The largest record that is written: the largest that the same memory limit allows to be read. A
/// record is in memory several times, in both directions.
struct RecordLimit {
  /// The path of the file, for messages.
  let path: String
  let memoryBytes: Int

  /// The part of the memory limit that a record may use.
  static let share = 8

  /// The memory limit that allows a record, in bytes.
  static func memoryBytes(forRecordOf bytes: Int) -> Int {
    let (memory, overflow) = bytes.multipliedReportingOverflow(by: share)
    return overflow ? .max : memory
  }

  /// Checks the size of a record in bytes.
  ///
  /// - Parameter isEstimate: whether it is the least that the record will have.
  /// - Throws: `MemoryExceeded` with `ATM-052`.
  func check(
    _ bytes: Int, of identifier: AtomicStore.Identifier, isEstimate: Bool = false
  ) throws(MemoryExceeded) {
    guard bytes > memoryBytes / Self.share else { return }
    let needed = Self.memoryBytes(forRecordOf: isEstimate ? bytes + 1 << 16 : bytes)
    throw MemoryExceeded(
      Diagnostic(
        "ATM-052", "\(identifier.shown) is too large to be written",
        at: SourceLocation(file: path),
        reason: "it takes \(isEstimate ? "about " : "")\(bytes) bytes of the file; a record is in "
          + "memory as a whole, and may use an eighth of \(MemorySize.text(memoryBytes))",
        remedy:
          "allow more memory with --memory \(MemorySize.text(needed)), also where the file is "
          + "read, or choose another type"))
  }
}

/// What became of a record that was to be written.
enum WrittenRecord {
  case written(bytes: Int)
  /// The reason why the syntax cannot hold it.
  case refused(String)
}
