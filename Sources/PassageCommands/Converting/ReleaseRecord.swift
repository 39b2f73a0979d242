internal import Passage
internal import PassagePlatform

/// Writes the version hashes of released versions into the history. Everything else in the file stays
/// as it is written.
struct ReleaseRecord {
  private let project: Project
  private let names: [String]
  private let file: String

  /// - Parameter versions: the names of the versions that have been released.
  init(_ project: Project, versions: [String]) {
    self.project = project
    names = versions
    file = project.migrationsDirectory + "/history.json"
  }

  /// Adds the hashes that the history lacks.
  ///
  /// - Returns: the versions that got hashes.
  /// - Throws: ``MigrationError`` with `CMD-007` for an unknown version, `CMD-071` for one whose recorded
  ///   hashes are others, `RUN-006` or `RUN-007` if the file cannot be written.
  func write() throws -> [String] {
    var mistakes = CallMistakes()
    let missing = versions(&mistakes)
    try mistakes.throwIfErrors()
    guard !missing.isEmpty else { return [] }
    // It has been read as UTF-8 already; that it is the same file is checked below.
    let data = FileManager.default.contents(atPath: file) ?? Data()
    var scalars = Array(String(decoding: data, as: UTF8.self).unicodeScalars)
    // The last one first, so that the places before it stay.
    for version in missing.reversed() {
      guard let hashes = project.models[version.name.value]?.versionHashes,
        let end = version.model.location.flatMap({ Self.end(ofTextAt: $0, in: scalars) })
      else { continue }
      scalars.insert(contentsOf: Self.member(hashes).unicodeScalars, at: end)
    }
    let changed = String(String.UnicodeScalarView(scalars))
    try check(changed, missing)
    try ConvertedFile(path: file, kind: .history, name: "history", contents: changed).write()
    return missing.map(\.name.value)
  }

  /// The named versions without hashes, in the order of the file.
  private func versions(_ mistakes: inout CallMistakes) -> [History.Version] {
    for name in names {
      guard let version = project.history.versions.first(where: { $0.name.value == name }) else {
        mistakes.add(
          Diagnostic(
            "CMD-007", "there is no version “\(name)”",
            remedy: correction(of: name, among: project.versionNames)))
        continue
      }
      if let hashes = version.hashes, hashes != project.models[name]?.versionHashes {
        mistakes.add(
          Diagnostic(
            "CMD-071", "the history records other hashes for version “\(name)”",
            at: version.model.location,
            reason: "its model has changed since it was released",
            remedy: "restore the released model; if this version was never released, remove its "
              + "“versionHashes” from the history first"))
      }
    }
    return project.history.versions.filter { names.contains($0.name.value) && $0.hashes == nil }
  }

  /// Reads the changed text again: it must say what it said, and the hashes.
  private func check(_ text: String, _ versions: [History.Version]) throws {
    var expected = project.history
    for index in expected.versions.indices where versions.contains(expected.versions[index]) {
      expected.versions[index].hashes =
        project.models[expected.versions[index].name.value]?.versionHashes
    }
    guard (try? HistoryDocument.decode(Array(text.utf8), file: file)) == expected else {
      throw MigrationError(
        .bug, Diagnostic("RUN-099", "the changed history would not be what it was"),
        diskState: "nothing was written")
    }
  }

  private static func member(_ hashes: [String: [UInt8]]) -> String {
    let members = hashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { (name: $0.key, value: JSONText.string($0.value.base64)) }
    return ",\n      \"versionHashes\": \(JSONText.object(members).rendered(indent: 3))"
  }

  /// The position behind the closing quotation mark of a string.
  private static func end(
    ofTextAt location: SourceLocation, in scalars: [Unicode.Scalar]
  ) -> Int? {
    guard let line = location.line, let column = location.column else { return nil }
    var position = 0
    var number = 1
    while number < line {
      guard let end = scalars[position...].firstIndex(of: "\n") else { return nil }
      position = end + 1
      number += 1
    }
    position += column - 1
    guard scalars.indices.contains(position), scalars[position] == "\"" else { return nil }
    position += 1
    while position < scalars.count, scalars[position] != "\"" {
      position += scalars[position] == "\\" ? 2 : 1
    }
    return position < scalars.count ? position + 1 : nil
  }
}
