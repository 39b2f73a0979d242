internal import Passage

/// A frequent call in its simplest form. It is read without the parser, because making the parser
/// of all subcommands takes longer than answering.
enum PlainCall: Equatable {
  /// `--version`, alone or with a format.
  case version(OutputFormat)
  /// `status` with options that have their value as the next argument.
  case status(StatusRequest, OutputFormat, OutputLook)

  /// Reads a call; `nil` for every call that the parser must read: any other subcommand or option,
  /// an option twice, a value that is missing or looks like an option, `--format=json`.
  ///
  /// - Parameter arguments: the arguments after the program's name.
  init?(_ arguments: [String]) {
    if let format = Self.formatOfVersion(arguments) {
      self = .version(format)
      return
    }
    guard arguments.first == StatusRequest.name else { return nil }
    var request = StatusRequest()
    var format: OutputFormat?
    var look = OutputLook()
    var color: ColorChoice?
    var rest = arguments.dropFirst()
    while let option = rest.popFirst() {
      switch option {
      case "-q", "--quiet":
        look.isQuiet = true
        continue
      case "-v", "--verbose":
        look.isVerbose = true
        continue
      default: break
      }
      guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("-") else { return nil }
      switch option {
      case "--store" where request.store == nil: request.store = PathText.normalized(value)
      case "--to" where request.to == nil: request.to = value
      case "--migrations" where request.project.migrations == nil:
        request.project.migrations = PathText.normalized(value)
      case "--mappings-dir" where request.project.mappingsDir == nil:
        request.project.mappingsDir = PathText.normalized(value)
      case "--models": request.project.models.append(PathText.normalized(value))
      case "--format" where format == nil:
        guard let named = OutputFormat(rawValue: value) else { return nil }
        format = named
      case "--color" where color == nil:
        guard let named = ColorChoice(rawValue: value) else { return nil }
        color = named
      default: return nil
      }
    }
    // The parser's commands report a contradiction.
    guard !look.isQuiet || !look.isVerbose else { return nil }
    look.color = color ?? .auto
    self = .status(request, format ?? .text, look)
  }

  /// The format of a call for the version; `nil` for any other call.
  private static func formatOfVersion(_ arguments: [String]) -> OutputFormat? {
    guard let place = arguments.firstIndex(of: "--version") else { return nil }
    var others = arguments
    others.remove(at: place)
    return switch others {
    case []: .text
    case ["--format", "json"], ["--format=json"]: .json
    case ["--format", "text"], ["--format=text"]: .text
    default: nil
    }
  }

  /// The versions of the program and of what it was built with.
  private static var versions: JSONText {
    .object([
      ("version", .string(PassageVersion.current)), ("sqlite", .string(PassageVersion.sqlite)),
      ("swift", .string(PassageVersion.swift)),
      ("architecture", .string(PassageVersion.architecture)),
      ("optimised", .bool(PassageVersion.isOptimised)),
    ])
  }

  /// Answers the call and returns the exit status.
  func answer() -> Int32 {
    switch self {
    case .version(let format):
      switch format {
      case .text: Console().printResult(OutputText(PassageVersion.current))
      case .json: Console().printResult(Self.versions)
      }
      return 0
    case .status(let request, let format, let look):
      let answer = CommandAnswer(name: StatusRequest.name, format: format)
      return CommandContext.$look.withValue(look) {
        do {
          return answer.report(try ReadingStop().during { try request.result() })
        } catch {
          return answer.report(error)
        }
      }
    }
  }
}
