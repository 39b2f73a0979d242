package import PassageDiagnostics

/// A model that was read from a file, with the remarks of its reader.
package struct ReadModel: Sendable, Hashable {
  /// The model, checked.
  package var model: Model
  /// Warnings and notes; never an error.
  package var remarks: Diagnostics
  /// The locations of its parts in the file.
  package var locations: ModelLocations
  /// The version hashes that Core Data or Xcode's compiler recorded beside the model, by entity
  /// name; empty if the file has none. They are used if a hash cannot be computed.
  package var recordedHashes: [String: [UInt8]]
  /// Whether the model was guessed from a store's tables. Names, types and relationships are then
  /// not exact, and its version hashes have no meaning.
  package var isGuessed = false

  /// Creates a model with remarks, without checking it.
  package init(
    model: Model, remarks: Diagnostics = Diagnostics(),
    locations: ModelLocations = ModelLocations(), recordedHashes: [String: [UInt8]] = [:]
  ) {
    self.model = model
    self.remarks = remarks
    self.locations = locations
    self.recordedHashes = recordedHashes
  }

  /// Checks a model that was just read, and leaves out what it only repeats.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - findings: the reader's findings so far.
  ///   - locations: the locations of its parts.
  /// - Throws: all findings, if one of them, or one of ``ModelChecker``'s, is an error.
  package init(
    checking model: Model, findings: Diagnostics, locations: ModelLocations
  ) throws(Diagnostics) {
    var findings = findings
    let (whole, warnings) = model.withoutRepeatedProperties(locations: locations)
    findings.append(contentsOf: warnings)
    findings.append(contentsOf: ModelChecker.check(whole, locations: locations))
    try findings.throwIfErrors()
    whole.noteChecked()
    self.init(model: whole, remarks: findings, locations: locations)
  }
}
