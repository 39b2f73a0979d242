/// What a user could use instead.
struct Peer {
  /// The name with its version.
  var name: String
  var program: String
  /// Its arguments; `SOURCE` and `DESTINATION` stand for the paths of the stores.
  var arguments: [String]

  /// Whether it changes a store where it is: it is given a copy of the source.
  var isInPlace: Bool { !arguments.contains("SOURCE") }

  /// - Parameter line: name, program and arguments, separated by tabs.
  init?(line: Substring) {
    let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard words.count >= 3 else { return nil }
    name = words[0]
    program = words[1]
    arguments = Array(words[2...])
  }

  /// Runs it on a scenario; the copy for a peer that works in place is not counted.
  func run(on prepared: PreparedScenario, _ folder: Folder) throws -> Child.Outcome {
    folder.remove("yardstick.sqlite")
    let path = folder.path("yardstick.sqlite")
    if isInPlace {
      _ = try Child(program: "cp", arguments: [prepared.source, path]).run(in: folder)
    }
    let words = arguments.map { word in
      word.hasSuffix("DESTINATION")
        ? word.dropLast("DESTINATION".count) + path : word == "SOURCE" ? prepared.source : word
    }
    return try Child(program: program, arguments: words).run(durable: path, in: folder)
  }
}
