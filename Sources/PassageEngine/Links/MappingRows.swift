internal import PassageSQLite
internal import PassageStores

/// Entity mappings as a table of SQL with a row for each, so that a query which asks what became of an object in
/// any of them has one term for all.
///
/// A term for each of many would exceed what SQLite allows a compound or a statement
/// (https://www.sqlite.org/limits.html), and go through the objects once for each. The rows of `VALUES` are not
/// limited.
struct MappingRows {
  private let mappingPlans: [MappingPlan]
  private let alias: String

  /// - Parameter alias: the table's name in the query.
  init(_ mappingPlans: [MappingPlan], as alias: String) {
    self.mappingPlans = mappingPlans
    self.alias = alias
  }

  /// Whether a table says more shortly what terms would say. Of a few, SQLite plans each by itself.
  static func isWorthwhile(_ mappingPlans: [MappingPlan]) -> Bool { mappingPlans.count > 4 }

  /// The table with its alias.
  ///
  /// - Complexity: O(n) for n entity mappings.
  var sql: String {
    let rows = mappingPlans.map { mappingPlan in
      let numbers = mappingPlan.destination?.familyNumbers
      let made = [mappingPlan.destination?.number, numbers?.lowerBound, numbers?.upperBound]
      let cells = [mappingPlan.index, mappingPlan.source?.number] + made
      let texts = ["\(mappingPlan.keyOffset)"] + cells.map { $0.map(String.init) ?? "NULL" }
      return "(\(texts.joined(separator: ", ")))"
    }
    return "(VALUES \(rows.joined(separator: ", "))) AS \(alias)"
  }

  // SQLite names the columns of `VALUES` like this.

  /// What is added to the key of a source object.
  var keyOffset: String { "\(alias).column1" }
  /// The number under which the journal has the associations of source objects.
  var index: String { "\(alias).column2" }
  /// The number of the entity of the objects that are made.
  var number: String { "\(alias).column4" }
  /// The condition that a number is that of this entity or of a subentity.
  func isKind(_ number: String) -> String {
    "\(number) BETWEEN \(alias).column5 AND \(alias).column6"
  }

  /// The condition that a row of the source is one of the objects that an entity mapping reads; `nil` where they
  /// read none.
  ///
  /// SQLite searches the rows of `VALUES` by an index that it makes only if the number has no affinity, which the
  /// plus takes away (https://www.sqlite.org/datatype3.html#affinity_of_expressions).
  ///
  /// - Parameter row: the alias of a row of the table that all of them read.
  func isOwn(_ row: String) -> String? {
    mappingPlans.first?.source.map { "\(alias).column3 = +\($0.numberSQL(row))" }
  }
}
