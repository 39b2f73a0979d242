internal import Passage
internal import PassagePlatform

/// The names of the files that hold a project's models and mapping models.
enum ProjectFileName {
  /// The name as a file name; `nil`, with `CMD-032`, if it is not possible.
  static func name(_ name: String, _ mistakes: inout CallMistakes) -> String? {
    // Scripts and sources have the names in them, where a line break would begin a line of its own.
    let hasControl = name.unicodeScalars.contains(where: \.isControl)
    guard hasControl || name.isEmpty || name.hasPrefix(".") || name.contains("/") else {
      return name
    }
    mistakes.add(
      Diagnostic(
        "CMD-032", "a file cannot be named “\(name)”",
        reason: hasControl
          ? "it has a character that ends a line, or that cannot be seen"
          : "models and mapping models are found by the names of their files",
        remedy: "rename the file that is converted"))
    return nil
  }

  /// The file of a version's model, in the folder of the history; `nil`, with `CMD-032`, if there
  /// cannot be one.
  static func model(_ version: String, _ mistakes: inout CallMistakes) -> String? {
    guard let name = name(version, &mistakes) else { return nil }
    // The history itself is in the same folder.
    return name.lowercased() == "history" ? "\(name).model.json" : "\(name).json"
  }

  /// Refuses two files with one path (`CMD-031`).
  static func checkDifferent(_ files: [ConvertedFile], _ mistakes: inout CallMistakes) {
    var known: [String: ConvertedFile] = [:]
    // Some file systems ignore case in names.
    for file in files {
      if let other = known.updateValue(file, forKey: file.path.lowercased()) {
        mistakes.add(
          Diagnostic(
            "CMD-031", "“\(other.name)” and “\(file.name)” would be written to the same file",
            at: SourceLocation(file: file.path),
            remedy: "convert them into separate folders"))
      }
    }
  }
}
