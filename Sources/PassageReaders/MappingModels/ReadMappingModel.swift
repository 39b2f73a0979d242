package import PassageDiagnostics
package import PassageMappings
package import PassageModels

/// A mapping model that was read from an Xcode file, with the remarks of its reader.
package struct ReadMappingModel: Sendable {
  /// The mapping model; its locations are in the file from which it was read.
  package var mapping: MappingModel
  /// The source model from which its defaults were resolved: the one given, or the one in the file;
  /// `nil` if there is neither.
  package var source: Model?
  /// The destination model, chosen in the same way.
  package var destination: Model?
  /// The source model as it was when the file was saved; `nil` if the file contains none that can
  /// be read.
  package var embeddedSource: ReadModel?
  /// The destination model as it was when the file was saved; `nil` if the file contains none that
  /// can be read.
  package var embeddedDestination: ReadModel?
  /// Warnings and notes, never errors: what was left out and why, models that have changed since
  /// (`IMP-022`), policies to register (`IMP-023`).
  package var notes: Diagnostics
}
