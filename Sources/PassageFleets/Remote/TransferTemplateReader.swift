internal import PassageDiagnostics
internal import PassageEngine

/// Splits the text of a command into words; see ``TransferTemplate``.
struct TransferTemplateReader {
  typealias Placeholder = TransferTemplate.Placeholder
  typealias Part = TransferTemplate.Part

  private let characters: [Character]
  private let option: String
  private let allowed: Set<Placeholder>
  private var next = 0
  private var word: [Part]?

  /// What a shell would take for something else, outside of quotes and between double quotes.
  private static let special: Set<Character> = ["|", "&", ";", "<", ">", "(", ")", "$", "`"]
  private static let specialInQuotes: Set<Character> = ["$", "`"]

  init(_ text: String, option: String, allowed: Set<Placeholder>) {
    characters = Array(text)
    self.option = option
    self.allowed = allowed
  }

  mutating func words() throws(MigrationError) -> [[Part]] {
    var words: [[Part]] = []
    while let character = take() {
      switch character {
      case _ where character.isWhitespace:
        if let word { words.append(word) }
        word = nil
      case "'", "\"": try readQuoted(character)
      case "\\":
        guard let escaped = take() else { throw refusal("a backslash ends it", at: next) }
        append(escaped)
      case "{", "}": try readBrace(character)
      case _ where Self.special.contains(character): throw needsShell(character)
      default: append(character)
      }
    }
    if let word { words.append(word) }
    guard let first = words.first, first != [.text("")] else {
      throw refusal("it names no program", at: 1)
    }
    for case .placeholder(let placeholder) in first {
      throw refusal("its program is not fixed: it has {\(placeholder.rawValue)}", at: 1)
    }
    return words
  }

  private mutating func readQuoted(_ quote: Character) throws(MigrationError) {
    let start = next
    word = word ?? [.text("")]
    while let character = take() {
      switch character {
      case quote: return
      case "\\" where quote == "\"":
        // As in a shell: the backslash is gone only where it is needed.
        guard let escaped = take() else { break }
        if escaped != "\"", escaped != "\\" { append("\\") }
        append(escaped)
      case "{", "}": try readBrace(character)
      case _ where quote == "\"" && Self.specialInQuotes.contains(character):
        throw needsShell(character)
      default: append(character)
      }
    }
    throw refusal("the quotation mark is not closed", at: start)
  }

  private mutating func readBrace(_ brace: Character) throws(MigrationError) {
    let start = next
    if next < characters.count, characters[next] == brace {
      next += 1
      return append(brace)
    }
    guard brace == "{", let end = characters[next...].firstIndex(of: "}") else {
      throw refusal("a single brace must be written twice: \(brace)\(brace)", at: start)
    }
    let name = String(characters[next..<end])
    guard let placeholder = Placeholder(rawValue: name) else {
      let known = Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
      throw refusal(
        "there is no placeholder {\(name)}", at: start,
        remedy: "use \(known); a brace that means itself is written twice")
    }
    guard allowed.contains(placeholder) else {
      throw refusal("{\(name)} is not known yet when this command is run", at: start)
    }
    next = end + 1
    word = (word ?? []) + [.placeholder(placeholder)]
  }

  private mutating func take() -> Character? {
    guard next < characters.count else { return nil }
    defer { next += 1 }
    return characters[next]
  }

  private mutating func append(_ character: Character) {
    var parts = word ?? []
    if case .text(let text)? = parts.last {
      parts[parts.count - 1] = .text(text + String(character))
    } else {
      parts.append(.text(String(character)))
    }
    word = parts
  }

  // MARK: Refusals

  private func needsShell(_ character: Character) -> MigrationError {
    refusal(
      "“\(character)” would need a shell, and none runs it", at: next,
      remedy: "put what needs a shell into a script, or write the character in single quotes")
  }

  func lacks(_ placeholder: Placeholder) -> MigrationError {
    refusal(
      "it does not have {\(placeholder.rawValue)}", at: 1,
      remedy: placeholder == .mark
        ? "let the command put the file only if the mark of what is there is still {mark}"
        : "add {\(placeholder.rawValue)} where the command needs it")
  }

  private func refusal(
    _ reason: String, at column: Int, remedy: String? = nil
  ) -> MigrationError {
    MigrationError(
      Diagnostic(
        "FLT-070", "\(option) is not a command that can be run",
        reason: "\(reason) (character \(column))",
        remedy: remedy ?? "correct the command"),
      diskState: "nothing was written")
  }
}
