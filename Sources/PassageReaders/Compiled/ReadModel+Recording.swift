internal import PassageDiagnostics
internal import PassageModels

extension ReadModel {
  /// The model with the version hashes that were recorded beside it, and a warning where they are not
  /// those of the model.
  func recording(_ hashes: [String: [UInt8]], of file: String) -> ReadModel {
    var read = self
    read.recordedHashes = hashes
    let compatibility = Compatibility(recordedHashes: hashes, model: model)
    guard !compatibility.isCompatible else { return read }
    let concerned = Set(compatibility.changed)
    let unproved = model.unprovedHashes.first { concerned.contains($0.entityName) }
    read.remarks.append(
      Diagnostic(
        "MOD-124", "the recorded version hashes are not those of the model", severity: .warning,
        at: SourceLocation(file: file),
        reason: unproved.map { "\(compatibility); \($0)" } ?? "\(compatibility)",
        remedy: "the recorded ones are what Core Data compares"))
    return read
  }
}
