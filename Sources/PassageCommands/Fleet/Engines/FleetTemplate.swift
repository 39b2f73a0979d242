internal import Passage

/// A file that starts the shards of a fleet on an engine.
struct FleetTemplate {
  let engine: FleetEngine
  let shards: Int
  /// How many run at once; `nil` for the engine's own limit.
  let atOnce: Int?
  /// The processors of one shard.
  let jobs: Int
  /// The program, and the options of `fleet run` for every shard.
  let program: String
  let options: [String]
  /// The folder from which names of stores count, for engines that have none.
  let folder: String
  let pod: PodArguments

  /// The file.
  ///
  /// - Complexity: O(n) in the length of the file.
  var text: String {
    var text = ""
    var rest = engine.template[...]
    while let start = rest.firstRange(of: "{{") {
      text += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      guard let end = rest.firstRange(of: "}}") else { break }
      text += value(of: rest[..<end.lowerBound])
      rest = rest[end.upperBound...]
    }
    return text + rest
  }

  private func value(of name: Substring) -> String {
    switch name {
    case "shards": "\(shards)"
    case "atOnce": atOnceText
    case "atMost": atOnce.map { "%\($0)" } ?? ""
    case "jobs": "\(jobs)"
    case "program": program.isPlainWord ? program : program.shellQuoted
    case "programLiteral": programLiteral
    case "options": options.map(quoted).joined(separator: " ")
    case "arguments": argumentLines
    case "folder": engine == .systemd ? folder.unitPath : folder.literal
    case "name": pod.name ?? PodArguments.standardName
    case "image": (pod.image ?? PodArguments.standardImage).literal
    case "claim": (pod.claim ?? PodArguments.standardClaim).literal
    case "mount": (pod.mount ?? PodArguments.standardMount).literal
    default: ""
    }
  }

  private var programLiteral: String {
    switch engine {
    case .systemd: program.unitProgram
    case .kubernetes: program.podLiteral
    default: program.literal
    }
  }

  private var atOnceText: String {
    switch engine {
    case .parallel: atOnce.map { "\($0)" } ?? "100%"
    case .dask: atOnce.map { "\($0)" } ?? "None"
    default: "\(atOnce ?? shards)"
    }
  }

  private func quoted(_ option: String) -> String {
    if option.isPlainWord { return option }
    return engine == .systemd ? option.unitQuoted : option.shellQuoted
  }

  /// The options as a list, one on each line.
  private var argumentLines: String {
    engine == .kubernetes
      ? options.map { "        - \($0.podLiteral)" }.joined(separator: "\n")
      : options.map { "    \($0.literal)," }.joined(separator: "\n")
  }
}
