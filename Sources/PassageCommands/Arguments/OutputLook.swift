internal import ArgumentParser
internal import Passage
internal import PassagePlatform

/// When messages and results are coloured.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  /// On a terminal, unless the environment says otherwise.
  case auto
  case always
  case never
}

/// How much is printed, and how it looks.
struct OutputLook: Equatable, Sendable {
  var color = ColorChoice.auto
  var isQuiet = false
  var isVerbose = false

  /// Reads a part of the arguments of a process, for failures before or while the rest is read.
  init(arguments: [String]) {
    for (index, argument) in arguments.enumerated() {
      if argument == "--" { break }
      if argument.hasPrefix("--color=") {
        color = ColorChoice(rawValue: String(argument.dropFirst(8))) ?? color
      } else if argument == "--color", index + 1 < arguments.count {
        color = ColorChoice(rawValue: arguments[index + 1]) ?? color
      }
    }
  }

  init(color: ColorChoice = .auto, isQuiet: Bool = false, isVerbose: Bool = false) {
    self.color = color
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
  }

  /// The colours of a text.
  ///
  /// - Parameters:
  ///   - isTerminal: whether the text goes to a terminal.
  ///   - environment: returns a variable of the environment.
  func palette(
    isTerminal: Bool, environment: (String) -> String? = OutputLook.variable
  ) -> Palette {
    switch color {
    case .always: Palette(isColored: true)
    case .never: .plain
    case .auto:
      // https://no-color.org: any text that is not empty turns colours off.
      Palette(
        isColored: isTerminal && environment("NO_COLOR")?.isEmpty ?? true
          && environment("TERM") != "dumb")
    }
  }

  /// The colours of standard output.
  var resultPalette: Palette { palette(isTerminal: isatty(STDOUT_FILENO) == 1) }

  /// The colours of standard error.
  var messagePalette: Palette { palette(isTerminal: isatty(STDERR_FILENO) == 1) }

  /// A variable of the environment.
  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Refuses what contradicts itself.
  ///
  /// - Throws: ``MigrationError`` with `CMD-080`.
  func check() throws(MigrationError) {
    guard isQuiet, isVerbose else { return }
    throw MigrationError(
      .wrongCall,
      Diagnostic(
        "CMD-080", "--quiet and --verbose are both given", remedy: "leave out one of the two"))
  }
}

/// The options for how much every command prints, and how it looks.
struct LookArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "When output is coloured. (default: auto, on a terminal unless NO_COLOR is set)",
      valueName: "auto|always|never"))
  var color = ColorChoice.auto

  @Flag(
    name: .shortAndLong,
    help: "Print no progress, no warnings and no report of what was done; only errors and answers.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print a line for every finished phase and pass.")
  var verbose = false

  /// What was parsed.
  var look: OutputLook { OutputLook(color: color, isQuiet: quiet, isVerbose: verbose) }
}
