package import PassageDiagnostics
package import PassageModels

/// One kind of file that holds a model. Each kind is a type; ``ModelFile`` tries them in turn.
package protocol ModelFormat: Sendable {
  /// The name of the kind in messages, with its extension: `an Xcode model (.xcdatamodel)`.
  var title: String { get }

  /// Whether the file is of this kind, judged by its name, its first bytes and whether it is a
  /// folder.
  func recognizes(_ file: FoundFile) -> Bool

  /// The versions the file holds.
  ///
  /// - Throws: the errors that prevent reading the list.
  func versions(of file: FoundFile) throws(Diagnostics) -> ModelVersions

  /// Reads and checks one version.
  ///
  /// - Parameter version: a name from ``versions(of:)``; `nil` for the current one.
  /// - Throws: every mistake in the file, with its location.
  func read(_ file: FoundFile, version: String?) throws(Diagnostics) -> ReadModel

  /// The names of a version's entities, if they can be told much faster than by reading it; they are
  /// a hint, and need not be right.
  func entityNames(of file: FoundFile, version: String) -> Set<String>?
}

extension ModelFormat {
  package func entityNames(of file: FoundFile, version: String) -> Set<String>? { nil }
}
