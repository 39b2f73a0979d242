package import PassageDiagnostics
package import PassageModels

extension Model {
  /// What keeps the stores of the model from being read completely: an error `STO-208` for each composite
  /// attribute.
  ///
  /// No store that was seen shows how the columns of its elements are named. One of them may have the name
  /// that the column of another attribute has without it, so that one is not certain either.
  package var unreadableAttributes: Diagnostics {
    var found = Diagnostics()
    let shown = name.cutToName
    for entity in entities {
      for attribute in entity.attributes where attribute.type == .composite && attribute.isStored {
        found.append(
          Diagnostic(
            "STO-208",
            "\(entity.name).\(attribute.name) is a composite attribute: no store of “\(shown)” can be "
              + "migrated",
            reason: "how Core Data names the columns of its elements is not documented, so that "
              + "their values cannot be told from others",
            remedy:
              "let the app copy its elements into other attributes and Core Data migrate to a "
              + "version without it; begin at that version"))
      }
    }
    return found
  }
}
