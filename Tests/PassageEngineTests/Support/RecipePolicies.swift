import Passage

/// The policies of the page of recipes. A test compares them with the page.
enum RecipePolicies {
  static let all: [any MigrationPolicy.Type] = [SongKey.self, Seats.self]
}

struct SongKey: MigrationPolicy {
  static let hooks: Set<MigrationHook> = []
  init(mapping: PolicyMapping) {}

  var functions: [String: PolicyFunction] {
    [
      "keyOf:": { arguments in
        guard case .value(.text(let title))? = arguments.first else { return .null }
        let words = title.lowercased().split(separator: " ").filter { $0 != "the" }
        return .text(words.joined(separator: " "))
      }
    ]
  }
}

struct Seats: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]
  static let needs: Set<MigrationContext.Need> = [.furtherObjects]
  init(mapping: PolicyMapping) {}

  func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
    for number in 0..<max(0, try source.integer("count") ?? 0) {
      var seat = try context.makeObject(ofEntity: "Seat")
      try seat.set("number", to: .integer(number))
      try context.insert(seat, for: source)
    }
  }
}
