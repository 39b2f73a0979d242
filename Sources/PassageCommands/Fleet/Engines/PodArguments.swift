internal import ArgumentParser
internal import Passage

/// The options of a template for what only a cluster of containers has.
struct PodArguments: ParsableArguments {
  static let standardName = "migrate-fleet"
  static let standardImage = "passage-migrate:latest"
  static let standardClaim = "stores"
  static let standardMount = "/data"

  @Option(
    help: ArgumentHelp("The job's name. (default: \(standardName))", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "The image that has the command in it. (default: \(standardImage), to be replaced)",
      valueName: "image"))
  var image: String?

  @Option(
    help: ArgumentHelp(
      "The claim for the volume with the stores. (default: \(standardClaim), to be replaced)",
      valueName: "claim"))
  var claim: String?

  @Option(
    help: ArgumentHelp(
      "Where the volume is mounted; names of stores count from there. (default: \(standardMount))",
      valueName: "path"))
  var mount: String?

  /// What cannot be used for an engine.
  func mistakes(for engine: FleetEngine) -> [Diagnostic] {
    let given = [
      ("--name", name), ("--image", image), ("--claim", claim), ("--mount", mount),
    ]
    guard engine == .kubernetes else {
      return given.filter { $0.1 != nil }.map { option, _ in
        Diagnostic(
          "FLT-050", "\(option) is given for \(engine.rawValue)",
          reason: "only a job of Kubernetes has it", remedy: "leave it out")
      }
    }
    var mistakes: [Diagnostic] = []
    for (option, value) in [("--name", name), ("--claim", claim)] {
      if let value, !Self.isLabel(value) {
        mistakes.append(
          Diagnostic(
            "CMD-002", "\(option) cannot be “\(value)”",
            remedy: "give at most 63 lower-case letters, digits and hyphens, the first and last no "
              + "hyphen"))
      }
    }
    if let image, image.isEmpty || image.contains(where: \.isWhitespace) {
      mistakes.append(
        Diagnostic("CMD-002", "--image cannot be “\(image)”", remedy: "give the name of an image"))
    }
    if let mount, !mount.hasPrefix("/") || mount.contains(":") {
      mistakes.append(
        Diagnostic(
          "CMD-002", "--mount cannot be “\(mount)”", remedy: "give an absolute path without a colon"
        ))
    }
    return mistakes
  }

  /// Whether a text is a label as RFC 1123 has them.
  private static func isLabel(_ text: String) -> Bool {
    let isAllowed = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }
    return isAllowed && (1...63).contains(text.utf8.count) && !text.hasPrefix("-")
      && !text.hasSuffix("-")
  }
}
