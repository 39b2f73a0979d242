internal import PassageDiagnostics

extension TextRecordWriter {
  /// Refuses settings under which values would be written that are not read back.
  ///
  /// - Parameter known: the columns of each entity.
  /// - Throws: `ATM-017` with every mistake.
  func checkSettings(_ known: [String: [String]]) throws(Diagnostics) {
    var found = Diagnostics()
    let place = SourceLocation(file: TextStoreSettings.path(of: path))
    func report(_ message: String, _ reason: String, _ remedy: String) {
      found.append(
        Diagnostic("ATM-017", message, at: place, reason: reason, remedy: remedy))
    }
    if let column = names.entityColumn, column == names.identifierColumn {
      report(
        "the entity and the identifier have the same column “\(column)”",
        "one of them would not be read back",
        "name different columns in “entityColumn” and “identifierColumn”")
    }
    for entity in entityNames {
      let what = "the property of “\(entity)” in the column"
      if let column = names.entityColumn, names.property(at: column, of: entity) != nil {
        report(
          "“entityColumn” names \(what) “\(column)”", "its values would not be written",
          "name a column of its own in “entityColumn”")
      }
      if names.isRelationship(at: names.identifierColumn, of: entity) {
        report(
          "“identifierColumn” names \(what) “\(names.identifierColumn)”",
          "it is a relationship, whose links would not be written",
          "name an attribute or a column of its own in “identifierColumn”")
      }
      for column in known[entity] ?? [] where settings.ignored.contains(column) {
        // Keyed records have the entity at their beginning and not under a key.
        let isEntity = column == names.entityColumn && settings.kind != .keyed
        guard
          isEntity || column == names.identifierColumn
            || names.property(at: column, of: entity) != nil
        else { continue }
        report(
          "“ignored” names the column “\(column)” of “\(entity)”, which is written",
          "it would not be read back", "leave it out of “ignored”")
      }
    }
    try found.throwIfErrors()
  }
}
