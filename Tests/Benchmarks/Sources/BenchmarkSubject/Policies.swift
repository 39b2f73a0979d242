internal import Foundation
internal import Passage

/// Copies: what the mapping says, and nothing more.
struct CopyPolicy: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]
  static let needs: Set<MigrationContext.Need> = []

  init(mapping: PolicyMapping) {}
}

/// Copies too, and leaves every hook to its default, as a policy written in a hurry does.
struct EveryHookPolicy: MigrationPolicy {
  init(mapping: PolicyMapping) {}
}

/// Prints a date in medium style with one printer for the whole mapping, as the policy of the same
/// name in `migrate` does.
struct PrintedDatePolicy: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]
  static let needs: Set<MigrationContext.Need> = []

  private let printer: Value.DatePrinter

  init(mapping: PolicyMapping) throws {
    printer = try .styled(date: .medium, time: .medium, locale: "en_US", timeZone: "UTC")
  }

  func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
    var printed = try context.defaultDestination(for: source)
    if let date = source["timeStamp"]?.date {
      try printed.set("printedDate", to: .text(printer.string(from: date)))
    }
    try context.insert(printed, for: source)
  }
}

/// Makes one place of all persons of a city: every person's association is a row on disk.
struct SharedPlacePolicy: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]

  init(mapping: PolicyMapping) {}

  func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
    let city = source["city"] ?? .null
    try context.findOrInsert("Place", key: [city], for: source) { place in
      try place.set("city", to: city)
    }
  }
}
