internal import Passage
internal import PassageFiles
internal import PassagePlatform
internal import PassageReports

/// A store that has come through standard input, in a private folder of its own. The readers of
/// stores read a file more than once, and at any place.
struct StandardInput: Sendable {
  /// What stands for standard input in place of a path.
  static let name = StandardInputReader.name

  /// The file.
  let path: String
  private let folder: PrivateFolder
  /// The settings file that the call names; `nil` for none.
  private let settings: String?

  /// Reads standard input to its end.
  ///
  /// - Parameter maximumBytes: the most that is accepted; `nil` for the standard.
  /// - Throws: ``MigrationError``, after the folder is removed.
  init(_ arguments: InputArguments, maximumBytes: Int?) throws(MigrationError) {
    settings = arguments.storeSettings
    let contents = try arguments.storeSettings.map(Self.contents)
    let type = try Self.type(arguments, contents)
    let reader = StandardInputReader()
    guard !reader.isTerminal else {
      throw Self.mistake(
        "CMD-104", "standard input is a terminal",
        remedy: "send the store through a pipe, or name its file")
    }
    folder = try PrivateFolder()
    // A type may take its settings from the extension: fields of .tsv are separated by tabs.
    let named = arguments.storeType.flatMap { type.fileExtensions.contains($0) ? $0 : nil }
    path = folder.path + "/standard-input." + (named ?? type.fileExtensions.first ?? "store")
    do throws(MigrationError) {
      if let contents { try write(contents, to: TextStoreSettings.path(of: path)) }
      try spool(reader, maximumBytes ?? AtomicStore.File.maximumBytes)
      guard CommandContext.storeTypes.type(ofFileAt: path)?.name == type.name else {
        throw Self.mistake(
          "CMD-107", "what comes through standard input is not \(type.title)",
          remedy: "name its type with --store-type")
      }
    } catch {
      _ = folder.remove()
      throw error
    }
  }

  /// Leaves signals to the command from now on, which stops at once and comes to ``remove()``.
  func release() { folder.release() }

  /// Removes the file.
  ///
  /// - Returns: a warning if it cannot be removed.
  func remove() -> Diagnostic? { folder.remove() }

  /// How names of files stand in a text.
  enum Notation: Sendable {
    /// With control characters made visible.
    case message
    /// Inside strings of JSON.
    case json
    /// In HTML.
    case page

    fileprivate func written(_ name: String) -> String {
      switch self {
      case .message: name.visibleLine
      case .json: String(JSONText.string(name).rendered().dropFirst().dropLast())
      case .page: Markup(escaping: name).text
      }
    }
  }

  /// A text in which the file and its settings are called as the call does.
  func naming(in text: String, _ notation: Notation) -> String {
    let name = StoreUnit(path: path).name
    // A long text has the name rarely.
    guard text.contains(name) else { return text }
    let beside = TextStoreSettings.path(of: path)
    let called = settings ?? "--store-settings FILE"
    let names = [
      // In a command that is to be pasted.
      (beside.shellQuoted, called.shellQuoted), (beside, called), (path, Self.name),
      (name, Self.name),
    ].map { (name: notation.written($0), other: notation.written($1)) }
    return Self.replacing(names[...], in: text)
  }

  /// Replaces names by others, in which nothing is replaced.
  private static func replacing(
    _ names: ArraySlice<(name: String, other: String)>, in text: String
  ) -> String {
    guard let (name, other) = names.first else { return text }
    return text.split(separator: name, omittingEmptySubsequences: false)
      .map { replacing(names.dropFirst(), in: String($0)) }.joined(separator: other)
  }

  /// A failure of the call as it is for a store that can be read only once.
  func failure(_ failure: MigrationError) -> MigrationError {
    var failure = failure
    failure.diskState = failure.diskState.map {
      $0.replacing(
        ", and the same command continues from there", with: ", and the next run discards it")
    }
    return failure
  }

  // MARK: Reading

  private func spool(_ reader: StandardInputReader, _ maximumBytes: Int) throws(MigrationError) {
    var count = 0
    do {
      try FileSystem().makeFile(path)
      let writer = try FileWriter(path)
      while true {
        let piece: [UInt8]
        do throws(FileSystem.Failure) {
          piece = try reader.next()
        } catch {
          throw Self.mistake(
            "CMD-106", "standard input cannot be read", reason: "\(error)",
            remedy: "send the store through a pipe, or name its file")
        }
        if piece.isEmpty { break }
        count += piece.count
        guard count <= maximumBytes else {
          throw Self.mistake(
            "ATM-001", "more than \(maximumBytes) bytes come through standard input",
            remedy: "name a file, or allow more bytes with --max-file-bytes of run")
        }
        try writer.write(piece)
      }
    } catch let error as MigrationError {
      throw error
    } catch {
      throw MigrationError(error, store: path)
    }
    if count == 0 {
      throw Self.mistake(
        "CMD-105", "nothing comes through standard input",
        remedy: "check the command that sends the store")
    }
  }

  private func write(_ bytes: [UInt8], to path: String) throws(MigrationError) {
    do {
      try FileSystem().makeFile(path)
      try FileWriter(path).write(bytes)
    } catch {
      throw MigrationError(error, store: path)
    }
  }

  /// The type that the call names, otherwise the one of the settings.
  private static func type(
    _ arguments: InputArguments, _ settings: [UInt8]?
  ) throws(MigrationError) -> any StoreType {
    var name = arguments.storeType
    if name == nil, let settings, let path = arguments.storeSettings {
      do throws(Diagnostics) {
        name = try TextStoreSettings.decode(settings, file: path).kind.rawValue
      } catch {
        var mistakes = CallMistakes(diskState: nil)
        mistakes.add(inNamedFiles: error)
        try mistakes.throwIfErrors()
      }
    }
    let types = CommandContext.storeTypes.all
    let known = types.map(\.name)
    guard let name else {
      throw mistake(
        "CMD-102", "the type of the store is not named",
        reason: "standard input has no name that shows it",
        remedy: "give --store-type with one of: \(known.joined(separator: ", "))")
    }
    guard
      let type = types.first(where: { $0.name == name })
        ?? types.first(where: { $0.fileExtensions.contains(name) })
    else {
      throw mistake(
        "CMD-102", "there is no type of store “\(name)”",
        remedy: nearest(to: name, in: known).map { "did you mean “\($0)”?" }
          ?? "use one of: \(known.joined(separator: ", "))")
    }
    return type
  }

  /// The largest settings file in bytes.
  private static let maximumSettingsBytes = 1 << 20

  private static func contents(_ path: String) throws(MigrationError) -> [UInt8] {
    do {
      let bytes = try FileSystem().byteCount(path)
      if bytes <= Int64(maximumSettingsBytes), !FileSystem().isDirectory(path),
        let contents = FileSystem().contents(path, limit: maximumSettingsBytes)
      {
        return contents
      }
      throw mistake(
        "CMD-108", "the settings cannot be read", at: path,
        reason: "they must be a readable file of at most \(maximumSettingsBytes) bytes")
    } catch let error as MigrationError {
      throw error
    } catch {
      throw mistake("CMD-108", "the settings cannot be read", at: path, reason: "\(error)")
    }
  }

  private static func mistake(
    _ code: String, _ message: String, at path: String? = nil, reason: String? = nil,
    remedy: String? = nil
  ) -> MigrationError {
    MigrationError(
      .wrongCall,
      Diagnostic(
        code, message, at: path.map { SourceLocation(file: $0) }, reason: reason, remedy: remedy),
      diskState: "nothing was written")
  }
}

extension CommandContext {
  /// The store that has come through standard input; `nil` if the call does not name it.
  @TaskLocal static var input: StandardInput?
}
