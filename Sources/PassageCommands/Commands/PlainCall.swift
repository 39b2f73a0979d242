internal import Passage

/// A frequent call in its simplest form. It is read without the parser, because making the parser
/// of all subcommands takes longer than answering.
enum PlainCall: Equatable {
  /// `--version`, alone or with a format.
  case version(OutputFormat)
  /// `status` with options that have their value as the next argument.
  case status(StatusRequest, OutputFormat)

  /// Reads a call; `nil` for every call that the parser must read: any other subcommand or option,
  /// an option twice, a value that is missing or looks like an option, `--format=json`.
  ///
  /// - Parameter arguments: the arguments after the program's name.
  init?(_ arguments: [String]) {
    if let format = Self.formatOfVersion(arguments) {
      self = .version(format)
      return
    }
    guard arguments.first == StatusRequest.name, !arguments.count.isMultiple(of: 2) else {
      return nil
    }
    var request = StatusRequest()
    var format: OutputFormat?
    for index in stride(from: 1, to: arguments.count, by: 2) {
      let value = arguments[index + 1]
      guard !value.isEmpty, !value.hasPrefix("-") else { return nil }
      switch arguments[index] {
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
      default: return nil
      }
    }
    self = .status(request, format ?? .text)
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
    ])
  }

  /// Answers the call and returns the exit status.
  func answer() -> Int32 {
    switch self {
    case .version(let format):
      switch format {
      case .text: Console().printResult(PassageVersion.current)
      case .json: Console().printResult(Self.versions)
      }
      return 0
    case .status(let request, let format):
      let answer = CommandAnswer(name: StatusRequest.name, format: format)
      do {
        return answer.report(try request.result())
      } catch {
        return answer.report(error)
      }
    }
  }
}
