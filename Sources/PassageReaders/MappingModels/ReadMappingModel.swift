package import PassageDiagnostics
package import PassageMappings
package import PassageModels

/// A mapping model that was read from a file of Xcode's, with what its reader has to say about it.
package struct ReadMappingModel: Sendable {
  /// The mapping model; places lead into the file it was read from.
  package var mapping: MappingModel
  /// The source model its defaults were worked out with: the one given, or the one in the file.
  /// `nil` when there is neither.
  package var source: Model?
  /// The destination model, in the same way.
  package var destination: Model?
  /// The source model as it was when the file was saved; `nil` when the file keeps none that can be
  /// read.
  package var embeddedSource: ReadModel?
  /// The destination model, in the same way.
  package var embeddedDestination: ReadModel?
  /// Warnings and notes, never an error: what was left out and why, models that have changed since
  /// (`IMP-022`), policies to register (`IMP-023`).
  package var notes: Diagnostics
}
