internal import Passage

/// A command whose store may come through standard input.
protocol StandardInputCommand: AnsweringCommand {
  var input: InputArguments { get }

  /// The paths of the call that may be `-`: those of its store and of models.
  var inputPaths: [String?] { get }

  /// The largest number of bytes that the call accepts; `nil` for the standard.
  var maximumInputBytes: Int? { get }

  /// What the call lacks or has too much when its store comes through standard input.
  var inputMistakes: Diagnostics { get }

  /// Puts a file in the place of `-`.
  mutating func read(from path: String)
}

extension StandardInputCommand {
  var maximumInputBytes: Int? { nil }
  var inputMistakes: Diagnostics { Diagnostics() }

  /// Takes what comes through standard input, if the call names it, and reads it from a file.
  ///
  /// - Returns: the file; `nil` if the call does not name standard input.
  /// - Throws: ``MigrationError`` with `CMD-101` to `CMD-108`, or `ATM-001`.
  mutating func takeStandardInput() throws(MigrationError) -> StandardInput? {
    var mistakes = CallMistakes(diskState: nil)
    guard inputPaths.contains(StandardInput.name) else {
      for (option, value) in [
        ("--store-type", input.storeType), ("--store-settings", input.storeSettings),
      ] where value != nil {
        mistakes.add(
          Diagnostic(
            "CMD-103", "\(option) is given without --store -",
            reason: "a file shows its type by its name and content, and has its settings beside it",
            remedy: "leave it out, or read the store from standard input"))
      }
      try mistakes.throwIfErrors()
      return nil
    }
    mistakes.add(inputMistakes)
    try mistakes.throwIfErrors()
    let found = try StandardInput(input, maximumBytes: maximumInputBytes)
    read(from: found.path)
    return found
  }
}
