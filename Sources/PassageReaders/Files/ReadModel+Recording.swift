internal import PassageDiagnostics
internal import PassageModels

extension ReadModel {
  /// The model with version hashes that were recorded beside it, and a warning if they differ from
  /// the model's own.
  func recording(_ hashes: [String: [UInt8]], of file: String) -> ReadModel {
    var read = self
    read.recordedHashes = hashes
    read.model = model.recording(hashes)
    read.remarks.append(contentsOf: read.hashRemarks(file: file))
    let compatibility = Compatibility(recordedHashes: hashes, model: read.model)
    guard !compatibility.isCompatible else { return read }
    read.remarks.append(
      Diagnostic(
        "MOD-124", "the recorded version hashes are not those of the model", severity: .warning,
        at: SourceLocation(file: file),
        reason: "\(compatibility)",
        remedy: "rely on the recorded ones, which Core Data compares; check whether the model was "
          + "edited later"))
    return read
  }

  /// Remarks on version hashes that cannot be computed with certainty: a note if the hash was
  /// recorded, otherwise a warning.
  func hashRemarks(file: String) -> Diagnostics {
    var reasons: [String: String] = [:]
    for unproved in model.unprovedHashes where reasons[unproved.entityName] == nil {
      reasons[unproved.entityName] = "\(unproved.reason)"
    }
    var remarks = Diagnostics()
    for entity in model.entities {
      guard let reason = reasons[entity.name] else { continue }
      let place =
        locations.location(of: .init(entity: entity.name)) ?? SourceLocation(file: file)
      remarks.append(
        entity.recordedVersionHash == nil
          ? Diagnostic(
            "MOD-130", "the version hash of “\(entity.name)” may differ from Core Data's",
            severity: .warning, at: place, reason: reason,
            remedy: "record its hash in the model, or give a store or a .momd of this version, "
              + "where the command takes it, with --models PATH")
          : Diagnostic(
            "MOD-129", "the recorded version hash of “\(entity.name)” is used",
            severity: .note, at: place, reason: reason))
    }
    return remarks
  }
}
