internal import PassageDiagnostics
package import PassageEngine

/// A command with placeholders, as a call gives it: `store-client get {name} {path}`.
///
/// It is never run by a shell. Words are separated by spaces. Between single quotes every character
/// means itself; between double quotes too, but a backslash keeps the next one from ending them, and
/// outside of quotes from separating words. What only a shell could do is refused, not passed on.
/// `{{` and `}}` mean the braces themselves.
package struct TransferTemplate: Sendable, Hashable {
  /// What stands in place of a part of a word.
  package enum Placeholder: String, Sendable, CaseIterable {
    /// The store's name, as the list has it.
    case name
    /// The file in the scratch folder.
    case path
    /// What `--exists` printed before the store was fetched.
    case mark
    /// The version to reach, as 16 hexadecimal digits.
    case version
  }

  /// A part of a word.
  enum Part: Sendable, Hashable {
    case text(String)
    case placeholder(Placeholder)
  }

  /// The option that gives it.
  let option: String
  /// The words; the first is the program.
  let words: [[Part]]

  /// - Parameters:
  ///   - text: the command.
  ///   - option: the option that gives it, for messages.
  ///   - allowed: what may be in it.
  ///   - needed: what must be in it.
  /// - Throws: `FLT-070` for a text that is not such a command, with the column.
  package init(
    _ text: String, option: String, allowed: Set<Placeholder>, needed: Set<Placeholder>
  ) throws(MigrationError) {
    var reader = TransferTemplateReader(text, option: option, allowed: allowed)
    words = try reader.words()
    self.option = option
    let found = words.joined().compactMap { part in
      if case .placeholder(let placeholder) = part { placeholder } else { nil }
    }
    let missing = Placeholder.allCases.first { needed.contains($0) && !found.contains($0) }
    if let missing { throw reader.lacks(missing) }
  }

  /// The program and its arguments.
  package func arguments(_ values: [Placeholder: String]) -> [String] {
    words.map { word in
      word.map { part in
        switch part {
        case .text(let text): text
        case .placeholder(let placeholder): values[placeholder] ?? ""
        }
      }.joined()
    }
  }

  /// Whether a placeholder is in it.
  func has(_ placeholder: Placeholder) -> Bool {
    words.contains { $0.contains(.placeholder(placeholder)) }
  }

  /// The name or path of the program.
  var program: String {
    words.first?.map { if case .text(let text) = $0 { text } else { "" } }.joined() ?? ""
  }
}
