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
      ("externalData", externalData.map(Self.json) ?? .null),
    ]
  }

  private static func json(_ report: ExternalDataReport) -> JSONText {
    .object([
      ("references", .integer(report.references)), ("files", .integer(report.files)),
      ("bytes", .integer(report.bytes)), ("missing", .integer(report.missing)),
      ("malformed", .integer(report.malformed)), ("orphans", .integer(report.orphans)),
      ("unknown", .integer(report.unknown)),
      (
        "missingByAttribute",
        .object(
          report.missingByAttribute.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })
      ),
      (
        "firstMissing",
        .list(
          report.firstMissing.map { reference in
            .object([
              ("entity", .string(reference.entity)), ("key", .integer(reference.key)),
              ("attribute", .string(reference.attribute)), ("file", .optional(reference.file)),
            ])
          })
      ),
      ("firstOrphans", .strings(report.firstOrphans)),
    ])
  }
}
