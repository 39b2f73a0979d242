internal import PassageDiagnostics
package import PassageEngine
internal import PassageFiles

/// The list of the stores of a fleet, as a call gives it.
package struct StoreList: Sendable {
  /// Where names come from.
  package enum Source: Sendable, Hashable {
    /// A path, or a ``StorePattern``.
    case pattern(String)
    /// A file with a name on each line; `-` is the standard input.
    case file(String, isEndedByNUL: Bool)
  }

  /// The longest name in a list, in bytes. No system opens a longer path.
  static let maximumNameBytes = 4_096
  /// The largest list that is read, in bytes: millions of names. A device or a pipe may have no end.
  static let maximumBytes = 1 << 30
  /// The most empty lines of a list. Blocks that a file does not have are read as bytes 0, which `--null`
  /// takes for the ends of empty lines.
  static let maximumEmptyLines = 100_000

  package private(set) var names = StoreNames()
  /// The files that its patterns matched and that belong to a store that is there: they are no names.
  package private(set) var leftOutCount = 0
  /// Where its patterns look into the folder of the results.
  private(set) var looks: [StorePatternLook] = []

  package init(names: StoreNames) throws(MigrationError) {
    self.names = names
    try check(sources: [])
  }

  /// Reads the names.
  ///
  /// - Parameter places: where the migrated stores go.
  /// - Throws: ``MigrationError`` with `FLT-001` for an empty list, `FLT-002` for one that cannot be
  ///   read, `FLT-003` for a name that is there twice; of kind `inputOutput` where the system fails.
  package init(
    _ sources: [Source], places: ResultPlaces = .inPlace
  ) throws(MigrationError) {
    for source in sources {
      switch source {
      case .pattern(let text): try expand(text, places)
      case .file(let path, let isEndedByNUL): try read(path, isEndedByNUL)
      }
    }
    try check(sources: sources)
  }

  private mutating func expand(_ text: String, _ places: ResultPlaces) throws(MigrationError) {
    var found = StorePattern.Found(names, watching: places.folder)
    do {
      try StorePattern(text).expand(into: &found)
      names = found.names
      looks += found.looks
      leftOutCount += found.leftOutCount
    } catch {
      throw Self.unreadable(error)
    }
  }

  private mutating func read(
    _ path: String, _ isEndedByNUL: Bool
  ) throws(MigrationError) {
    let isInput = path == "-"
    do {
      let file = try isInput ? FileReader(standardInput: Self.input) : FileReader(path)
      var lines = LineReader(
        file, end: isEndedByNUL ? 0 : UInt8(ascii: "\n"), limit: Self.maximumNameBytes,
        stopsAtCut: true)
      var number = 0
      var (byteCount, emptyCount) = (0, 0)
      while let line = try lines.next() {
        number += 1
        byteCount += line.bytes.count + 1
        if line.bytes.isEmpty { emptyCount += 1 }
        guard byteCount <= Self.maximumBytes, emptyCount <= Self.maximumEmptyLines else {
          throw Self.tooLong(isInput ? Self.input : path, number)
        }
        if line.bytes.isEmpty { continue }
        guard !line.isCut, !line.bytes.contains(0),
          let name = String(validating: line.bytes, as: UTF8.self)
        else {
          throw Self.unusable(
            isInput ? Self.input : path, number, isLong: line.isCut, isNUL: line.bytes.contains(0))
        }
        names.append(name)
      }
    } catch let error as MigrationError {
      throw error
    } catch let failure as FileSystem.Failure {
      throw Self.unreadable(failure)
    } catch {
      throw MigrationError(error, store: path)
    }
  }

  private static let input = "the standard input"

  private func check(sources: [Source]) throws(MigrationError) {
    if names.isEmpty { throw isEmpty(sources) }
    guard let (first, second) = names.firstRepetition() else { return }
    throw Self.refusal(
      Diagnostic(
        "FLT-003", "a store is named twice", at: SourceLocation(file: names[first]),
        reason: "as number \(first + 1) and as number \(second + 1) of the list",
        remedy: "name each store once"))
  }

  // MARK: Refusals

  static func refusal(_ diagnostic: Diagnostic) -> MigrationError {
    MigrationError(.wrongCall, diagnostic, diskState: "nothing was written")
  }

  private func isEmpty(_ sources: [Source]) -> MigrationError {
    let given = sources.map { source in
      switch source {
      case .pattern(let text): "no store matches \(text)"
      case .file(let path, _): "\(path == "-" ? Self.input : path) has no names"
      }
    }
    let leftOut =
      leftOutCount > 0 ? ["what matches are files that SQLite or Passage made beside stores"] : []
    return Self.refusal(
      Diagnostic(
        "FLT-001", "the list of stores is empty",
        reason: given.isEmpty ? nil : (given.prefix(4) + leftOut).joined(separator: "; "),
        remedy: "check the pattern or the list, and the folder in which the call is made"))
  }

  private static func unreadable(_ failure: FileSystem.Failure) -> MigrationError {
    if failure.isNotUTF8 {
      return refusal(
        Diagnostic(
          "FLT-002", "a name that a pattern finds is not UTF-8",
          at: SourceLocation(file: failure.path),
          reason: "it is shown with “\u{FFFD}”, and another file could have that name",
          remedy: "give the file or folder a name in UTF-8, or use a pattern without it"))
    }
    if failure.isOfSystem {
      var error = MigrationError(failure, store: failure.path)
      error.diskState = "nothing was written"
      return error
    }
    return refusal(
      Diagnostic(
        "FLT-002", "the list of stores cannot be read", at: SourceLocation(file: failure.path),
        reason: "\(failure)", remedy: "check the path and its permissions"))
  }

  private static func tooLong(_ file: String, _ line: Int) -> MigrationError {
    refusal(
      Diagnostic(
        "FLT-002", "the list of stores is too long", at: SourceLocation(file: file, line: line),
        reason: "it has more than \(maximumBytes) bytes, or more than \(maximumEmptyLines) empty "
          + "lines",
        remedy: "check whether it is the right file; a longer list is given in parts"))
  }

  private static func unusable(
    _ file: String, _ line: Int, isLong: Bool, isNUL: Bool
  ) -> MigrationError {
    refusal(
      Diagnostic(
        "FLT-002", "the list of stores has a line that is not a path",
        at: SourceLocation(file: file, line: line),
        reason: isLong
          ? "it is longer than \(maximumNameBytes) bytes"
          : isNUL ? "it has the byte 0" : "it is not valid UTF-8",
        remedy: isNUL ? "if its names are separated by the byte 0, add --null" : "correct the line")
    )
  }
}
