package import PassageDiagnostics

/// A model as it was read from a file, with what its reader has to say about it.
package struct ReadModel: Sendable, Hashable {
  /// The model, checked.
  package var model: Model
  /// Warnings and notes; never an error.
  package var remarks: Diagnostics
  /// Where its parts are in the file.
  package var locations: ModelLocations
  /// The version hashes that Core Data or Xcode's compiler recorded beside the model, by entity name;
  /// empty when the file records none. They are used where a hash cannot be computed.
  package var recordedHashes: [String: [UInt8]]
  /// Whether the model was guessed from a store's tables: names, types and relationships are not
  /// exact, and its version hashes mean nothing.
  package var isGuessed = false

  /// Puts a model and its remarks together without checking it.
  package init(
    model: Model, remarks: Diagnostics = Diagnostics(),
    locations: ModelLocations = ModelLocations(), recordedHashes: [String: [UInt8]] = [:]
  ) {
    self.model = model
    self.remarks = remarks
    self.locations = locations
    self.recordedHashes = recordedHashes
  }

  /// Checks a model that was just read.
  ///
  /// - Parameters:
  ///   - model: what was read.
  ///   - findings: what the reader found so far.
  ///   - locations: where its parts are.
  /// - Throws: all findings when one of them, or one of ``ModelChecker``'s, is an error.
  package init(
    checking model: Model, findings: Diagnostics, locations: ModelLocations
  ) throws(Diagnostics) {
    var findings = findings
    findings.append(contentsOf: ModelChecker.check(model, locations: locations))
    try findings.throwIfErrors()
    self.init(model: model, remarks: findings, locations: locations)
  }
}
