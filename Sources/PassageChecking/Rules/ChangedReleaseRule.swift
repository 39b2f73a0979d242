internal import PassageDiagnostics
internal import PassageModels
internal import PassageProjects

/// Versions whose model is no longer the one that was released.
enum ChangedReleaseRule: CheckRule {
  static let code = "CHK-012"
  static let level = Diagnostic.Severity.error

  static func findings(in project: CheckedProject) -> [CheckFinding] {
    project.project.history.versions.compactMap { version in
      guard let recorded = version.hashes, let model = project.project.models[version.name.value],
        model.versionHashes != recorded
      else { return nil }
      return CheckFinding(
        diagnostic(
          "the model of version “\(version.name.value)” has changed since it was released",
          at: version.model.location, reason: changes(from: recorded, to: model.versionHashes),
          remedy: "restore the released model, and put the changes into a new version; if it was "
            + "never released, remove its “versionHashes”"),
        about: [.version: version.name.value])
    }
  }

  /// The entities that differ.
  static func changes(from old: [String: [UInt8]], to new: [String: [UInt8]]) -> String {
    let parts = [
      ("changed", old.keys.filter { new[$0] != nil && new[$0] != old[$0] }),
      ("added", new.keys.filter { old[$0] == nil }),
      ("removed", old.keys.filter { new[$0] == nil }),
    ]
    return parts.filter { !$0.1.isEmpty }
      .map { what, names in
        "\(what): \(names.sorted().prefix(12).map { "“\($0)”" }.joined(separator: ", "))"
          + (names.count > 12 ? " and \(names.count - 12) more" : "")
      }.joined(separator: "; ")
  }
}
