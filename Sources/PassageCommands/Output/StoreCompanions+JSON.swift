internal import Passage

extension StoreCompanions {
  /// The members `history`, `leftOut` and `externalData` of a plan or report.
  var members: [(String, JSONText)] {
    [
      (
        "history",
        history.map { history in
          .object([
            ("rows", .integer(history.rows)), ("isCarriedOver", .bool(history.isCarriedOver)),
            ("reason", .optional(history.reason)),
          ])
        } ?? .null
      ),
      (
        "leftOut",
        .list(
          leftOut.map { item in
            .object([
              ("kind", .string(item.kind.rawValue)), ("name", .string(item.name)),
              ("rows", item.rows.map { .integer($0) } ?? .null),
            ])
          })
      ),
      ("externalData", externalData?.json ?? .null),
    ]
  }
}

extension ExternalDataReport {
  /// The comparison of a store's references with its files.
  var json: JSONText {
    .object([
      ("references", .integer(references)), ("files", .integer(files)),
      ("bytes", .integer(bytes)), ("missing", .integer(missing)),
      ("malformed", .integer(malformed)), ("orphans", .integer(orphans)),
      ("unknown", .integer(unknown)),
      (
        "missingByAttribute",
        .object(
          missingByAttribute.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })
      ),
      (
        "firstMissing",
        .list(
          firstMissing.map { reference in
            .object([
              ("entity", .string(reference.entity)), ("key", .integer(reference.key)),
              ("attribute", .string(reference.attribute)), ("file", .optional(reference.file)),
            ])
          })
      ),
      ("firstOrphans", .strings(firstOrphans)),
    ])
  }
}
