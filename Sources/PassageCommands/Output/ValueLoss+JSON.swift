internal import Passage

extension ValueLoss {
  var json: JSONText {
    .shortObject([
      ("name", .string(name)), ("reason", .string(reason.rawValue)),
      ("step", .integer(Int64(step))),
      ("mapping", .string(mapping)), ("count", count.map { .integer($0) } ?? .null),
    ])
  }
}

extension MappingAccount {
  /// The members `becameNil`, `emptied`, `unread` and `narrowed`: counts by property.
  var lossMembers: [(name: String, value: JSONText)] {
    [
      ("becameNil", becameNil), ("emptied", emptied), ("unread", unread), ("narrowed", narrowed),
    ].map { name, counts in
      (
        name,
        .shortObject(
          counts.sorted { $0.key < $1.key }.map { (name: $0.key, value: .integer($0.value)) })
      )
    }
  }
}
