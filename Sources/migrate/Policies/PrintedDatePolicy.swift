import Foundation
import Passage

/// Prints a date of the source object into a text of the destination object, in the medium style of
/// a locale.
///
/// The mapping file says which, in `userInfo`:
/// - `attribute`: the destination attribute that receives the text,
/// - `date`: the source attribute with the date,
/// - `locale`: a locale's identifier, such as `en_US`,
/// - `timeZone`: a time zone's identifier, such as `UTC` or `Europe/Berlin`.
///
/// An object without a date gets no text.
struct PrintedDatePolicy: MigrationPolicy {
  /// Relationships are left to the mapping, which saves a second sweep.
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]

  /// One object of each source object, and nothing else is looked at.
  static let needs: Set<MigrationContext.Need> = []

  /// Raised with every change of what it prints.
  static let revision = "1"

  private static let keys = ["attribute", "date", "locale", "timeZone"]

  private let attribute: String
  private let date: String
  private let printer: Value.DatePrinter

  init(mapping: PolicyMapping) throws {
    let userInfo = mapping.userInfo
    var mistakes = Self.keys.filter { userInfo[$0] == nil }.map { "“\($0)” is missing" }
    mistakes += userInfo.keys.sorted().filter { !Self.keys.contains($0) }
      .map { "“\($0)” is not one of \(Self.keys.joined(separator: ", "))" }
    guard mistakes.isEmpty else {
      throw PolicyMistake("in “userInfo”, " + mistakes.joined(separator: "; "))
    }
    attribute = userInfo["attribute"] ?? ""
    date = userInfo["date"] ?? ""
    do {
      printer = try .styled(
        date: .medium, time: .medium, locale: userInfo["locale"] ?? "",
        timeZone: userInfo["timeZone"] ?? "")
    } catch let mistake as Diagnostic {
      throw PolicyMistake("in “userInfo”, " + mistake.message)
    }
  }

  func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    guard let cell = source[date] else {
      throw PolicyMistake("“\(source.shape.entityName)” has no attribute “\(date)”")
    }
    var object = try context.defaultDestination(for: source)
    if !cell.isNull {
      guard let stamp = cell.date else { throw PolicyMistake("“\(date)” does not contain a date") }
      let text = printer.string(from: stamp)
      guard !text.isEmpty else { throw PolicyMistake("“\(date)” is outside the calendar") }
      try object.set(attribute, to: .text(text))
    }
    try context.insert(consume object, for: source)
  }
}
