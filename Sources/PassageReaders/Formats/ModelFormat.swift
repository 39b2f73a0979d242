package import PassageDiagnostics
package import PassageModels

/// One kind of file that holds a model. One type for each kind; ``ModelFile`` asks them in turn.
package protocol ModelFormat: Sendable {
  /// What the kind is called in messages, with its extension: `an Xcode model (.xcdatamodel)`.
  var title: String { get }

  /// Whether the file is of this kind, judged by its name, whether it is a folder and its first
  /// bytes.
  func recognizes(_ file: FoundFile) -> Bool

  /// The versions the file holds.
  ///
  /// - Throws: what keeps the list from being read.
  func versions(of file: FoundFile) throws(Diagnostics) -> ModelVersions

  /// Reads and checks one version.
  ///
  /// - Parameter version: a name from ``versions(of:)``; `nil` for the current one.
  /// - Throws: every mistake of the file, with its place.
  func read(_ file: FoundFile, version: String?) throws(Diagnostics) -> ReadModel
}
