internal import PassageQueries
internal import PassageSQLite
internal import PassageStores

extension LinkCell<String> {
  /// The cell in SQL over the source row `s`, on a connection that has the source attached as
  /// `source` and the journal as `journal`.
  var sql: String {
    func own(_ column: String) -> String { "s.\(column.quotedIdentifier)" }
    switch self {
    case .shifted(let column, let shift): return shift.sql(of: own(column))
    case .byEntity(let column, let number, let shifts):
      let cases = shifts.map { shift in
        "WHEN \(LinkNumber.literal(Int64(shift.number))) THEN \(shift.shift.sql(of: own(column)))"
      }
      return "CASE \(own(number)) \(cases.joined(separator: " ")) END"
    case .entityNumber(let column, let number):
      return "CASE WHEN \(own(column)) IS NOT NULL THEN \(number) END"
    case .entityNumberByEntity(let number, let numbers):
      let cases = numbers.map {
        "WHEN \(LinkNumber.literal(Int64($0.source))) THEN \($0.destination)"
      }
      return "CASE \(own(number)) \(cases.joined(separator: " ")) END"
    case .place(let column, let place):
      return "CASE WHEN \(own(column)) IS NOT NULL THEN \(place.sql) END"
    case .lookedUp(let cell): return cell.sql
    // Tables in memory exist only in pages.
    case .found: return "NULL"
    }
  }
}

extension KeyShift {
  fileprivate func sql(of key: String) -> String {
    keys.map {
      "CASE WHEN \(key) BETWEEN \(LinkNumber.literal($0.smallest)) "
        + "AND \(LinkNumber.literal($0.largest)) THEN \(key) + \(offset) END"
    } ?? key
  }
}

extension PlaceColumn<String> {
  fileprivate var sql: String {
    switch self {
    case .key: "s.\"Z_PK\""
    case .column(let column): "s.\(column.quotedIdentifier)"
    }
  }
}

extension LookedUpCell {
  fileprivate var sql: String {
    switch part {
    case .key: first(arms.map { "(SELECT \(key(of: $0)) \(from($0)))" })
    case .entityNumber: first(arms.map { "(SELECT \(entity(of: $0)) \(from($0)))" })
    case .place(let place):
      "CASE WHEN \(first(arms.map { "(SELECT \(key(of: $0)) \(from($0)))" })) IS NOT NULL "
        + "THEN \(place.sql) END"
    }
  }

  /// The most arguments of a function: `ConnectionLimits` allows 127.
  private static let maximumArguments = 100

  /// The first of some values that is not NULL.
  private func first(_ parts: [String]) -> String {
    if parts.count == 1 { return parts[0] }
    guard parts.count > Self.maximumArguments else {
      return "coalesce(\(parts.joined(separator: ", ")))"
    }
    let groups = stride(from: 0, to: parts.count, by: Self.maximumArguments).map { start in
      first(Array(parts[start..<min(start + Self.maximumArguments, parts.count)]))
    }
    return first(groups)
  }

  private var link: String { "s.\(column.quotedIdentifier)" }

  /// The related object's key in the source.
  private var related: String { isSound ? link : "e.\"Z_PK\"" }

  private func key(of arm: Arm) -> String {
    switch arm {
    case .everyOne(_, _, let offset): "\(related) + \(offset)"
    case .kept: "d.\"Z_PK\""
    case .associated: "a.destination"
    }
  }

  private func entity(of arm: Arm) -> String {
    switch arm {
    case .everyOne(_, let destination, _): "\(destination)"
    case .kept: "d.\"Z_ENT\""
    case .associated: "a.entity"
    }
  }

  private func from(_ arm: Arm) -> String {
    switch arm {
    case .everyOne(let source, _, _):
      return from(source, [], "\(related) IS NOT NULL")
    case .kept(let source, let table, let destination, let offset):
      return from(
        source, ["main.\(table.quotedIdentifier) AS d"],
        "d.\"Z_PK\" = \(related) + \(offset) AND d.\"Z_ENT\" = \(destination)")
    case .associated(let source, let mapping, let family):
      return from(
        source, ["\(Journal.Table.association.name) AS a"],
        "a.mapping = \(mapping) AND a.entity BETWEEN \(family.lowerBound) "
          + "AND \(family.upperBound) AND a.source = \(related)")
    }
  }

  private func from(_ number: Int, _ tables: [String], _ condition: String) -> String {
    let all = (isSound ? [] : ["source.\(table.quotedIdentifier) AS e"]) + tables
    let isRelated =
      "e.\"Z_PK\" = \(link)" + (isAlone ? "" : " AND e.\"Z_ENT\" = \(number)")
    return (all.isEmpty ? "" : "FROM \(all.joined(separator: " CROSS JOIN ")) ") + "WHERE "
      + (isSound ? [condition] : [isRelated, condition]).joined(separator: " AND ")
  }
}
