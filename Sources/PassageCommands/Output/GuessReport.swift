internal import Passage
internal import PassagePlatform

/// The guessed types of the columns of a file, as text, as JSON and as settings.
struct GuessReport {
  let path: String
  let guessed: GuessedTypes
  /// The settings file that was written; `nil` if it was not asked for.
  let output: String?

  func result(command: String) -> CommandResult {
    CommandResult(text: text, json: json(command))
  }

  // MARK: Settings

  /// The settings with the guessed types. Other members stay as they are.
  ///
  /// - Parameter existing: the settings beside the file; `nil` for none.
  func settings(_ existing: JSONText?) -> JSONText {
    let (kind, separator) = (guessed.settings.kind, guessed.settings.separator)
    var members: [(name: String, value: JSONText)] = [("type", .string(kind.rawValue))]
    if separator != TextStoreSettings(kind: kind).separator {
      members.append(("separator", .string(String(UnicodeScalar(separator)))))
    }
    if case .object(let known)? = existing { members = known.filter { $0.name != "types" } }
    if case .shortObject(let known)? = existing { members = known.filter { $0.name != "types" } }
    return .object(members + [("types", types)])
  }

  private var types: JSONText {
    var entities: [String] = []
    var columns: [String: [(name: String, value: JSONText)]] = [:]
    for column in guessed.columns {
      if columns[column.entity] == nil { entities.append(column.entity) }
      columns[column.entity, default: []].append(
        (column.name, .string(guessed.type(of: column).name)))
    }
    return .object(entities.map { ($0, .object(columns[$0] ?? [])) })
  }

  // MARK: Output

  private var text: OutputText {
    var table = TextTable(
      [("entity", .left), ("column", .left), ("type", .left), ("rows", .right), ("nil", .right)]
        + guessed.candidates.map { ($0.name, .right) })
    for column in guessed.columns {
      table.add(
        [
          column.entity, column.name, guessed.type(of: column).name, NumberText.count(column.rows),
          NumberText.count(column.nils),
        ] + guessed.candidates.map { NumberText.count(column.support[$0] ?? 0) })
    }
    let settings = "\(path).store.json"
    let ofInput =
      CommandContext.input == nil
      ? nil : "write them with --output FILE, and read them again with --store-settings FILE"
    let next =
      output.map { "written to \($0)" } ?? ofInput
      ?? "write them with: migrate inspect \(path.shellQuoted) --guess-types --output "
      + settings.shellQuoted
      + (FileManager.default.fileExists(atPath: settings) ? " --force" : "")
    return OutputText(lines: [path, ""] + table.lines + ["", next])
  }

  private func json(_ command: String) -> JSONText {
    .object([
      ("command", .string(command)), ("kind", .string("guessedTypes")), ("path", .path(path)),
      ("output", .path(output)), ("columns", .list(guessed.columns.map(json))),
    ])
  }

  private func json(_ column: TextColumn) -> JSONText {
    .shortObject([
      ("entity", .string(column.entity)), ("column", .string(column.name)),
      ("type", .string(guessed.type(of: column).name)), ("rows", .integer(column.rows)),
      ("nil", .integer(column.nils)),
      (
        "support",
        .shortObject(
          guessed.candidates.map { ($0.name, .integer(column.support[$0] ?? 0)) })
      ),
    ])
  }
}
