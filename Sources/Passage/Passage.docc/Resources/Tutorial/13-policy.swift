import Passage

/// Makes the “Note” of each “Note”, and counts the words of its text.
///
/// `Mappings/Notes 1 to Notes 2.json` names it.
public struct NotePolicy: MigrationPolicy {
  /// The hooks that it has: the others are not called.
  public static let hooks: Set<MigrationHook> = [.createDestinationInstances]

  /// It needs nothing but the source object. See the page on policies before you change this.
  public static let needs: Set<MigrationContext.Need> = []

  /// What it reads beyond the mapping model's own expressions.
  public static let readProperties: [String]? = ["text"]

  /// Raise it with every change of what the policy makes: the store records it.
  public static let revision = "2"

  /// Called when the mapping model is checked, and again for each pass.
  public init(mapping: PolicyMapping) {}

  /// Called once for each source object that the filter takes.
  public func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    var note = try context.defaultDestination(for: source)
    let words = source["text"]?.string?.split(whereSeparator: \.isWhitespace).count ?? 0
    try note.set("words", to: .integer(Int64(words)))
    try context.insert(note, for: source)
  }
}
