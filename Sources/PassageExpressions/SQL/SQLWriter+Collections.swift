import PassageValues

/// Collections become subqueries that are correlated with the outer row
/// (https://www.sqlite.org/lang_expr.html#subq). The alias of an element's row is `r` and the
/// number of its ``RelatedObjects``, or `e` and its frame for elements that are not objects.
extension SQLWriter {
  func element(_ frame: Int, _ part: ElementPart) -> String {
    switch (part, frames[frame] ?? nil) {
    case (.key, let rows?): rows.key
    case (.cell(let position, _), let rows?) where rows.cells.indices.contains(position):
      rows.cells[position]
    case (.value, _): "e\(frame).column1"
    default: "NULL"
    }
  }

  /// Writes a query for one value, in parentheses: `result` over the elements of a collection.
  ///
  /// - Parameter once: whether duplicate elements make no difference.
  mutating func select(
    _ collection: BoundCollection, once: Bool,
    _ result: (inout SQLWriter) throws(NotTranslatable) -> Void
  ) throws(NotTranslatable) {
    write("(SELECT ")
    try body(collection, once: once, result)
    write(")")
  }

  mutating func exists(_ collection: BoundCollection) throws(NotTranslatable) {
    write("EXISTS (SELECT ")
    try body(collection, once: true) { writer throws(NotTranslatable) in writer.write("1") }
    write(")")
  }

  mutating func count(
    _ collection: BoundCollection, _ limit: Int64?
  ) throws(NotTranslatable) {
    guard let limit else {
      return try select(collection, once: false) { writer throws(NotTranslatable) in
        writer.write("count(*)")
      }
    }
    write("(SELECT count(*) FROM (SELECT ")
    try body(collection, once: false) { writer throws(NotTranslatable) in writer.write("1") }
    write(" LIMIT \(limit)))")
  }

  /// Writes the text after `SELECT`.
  private mutating func body(
    _ collection: BoundCollection, once: Bool,
    _ result: (inout SQLWriter) throws(NotTranslatable) -> Void
  ) throws(NotTranslatable) {
    // The result is written first, but needs the meaning of the aliases in it.
    switch collection.base {
    case .related(let start, let number):
      guard rows.indices.contains(number), let rows = rows[number] else {
        throw NotTranslatable(
          part: "a to-many relationship", reason: "no table of the store contains it")
      }
      frames[collection.frame] = rows
      try result(&self)
      if once, let rows = rows.once {
        write(" FROM \(rows.from) WHERE \(rows.before)")
        try value(start)
        write(rows.after)
      } else {
        write(" FROM \(rows.from) WHERE \(rows.startKey) = ")
        try value(start)
      }
      try whereConditions(collection, " AND ")
    case .list(let nodes):
      frames[collection.frame] = .some(nil)
      guard !nodes.isEmpty else {
        try result(&self)
        write(" FROM (SELECT NULL AS column1 WHERE 0) AS e\(collection.frame)")
        return
      }
      try result(&self)
      write(" FROM (VALUES ")
      for (index, node) in nodes.enumerated() {
        write(index > 0 ? ", (+" : "(+")
        try value(node)
        write(")")
      }
      write(") AS e\(collection.frame)")
      try whereConditions(collection, " WHERE ")
    case .function(let function, _):
      throw NotTranslatable(
        part: function.selector, reason: "gives a list, which SQL does not have")
    case .distinct(let inner):
      try result(&self)
      write(" FROM (SELECT DISTINCT ")
      try values(of: inner)
      write(") AS e\(collection.frame)")
      try whereConditions(collection, " WHERE ")
    case .union(let left, let right):
      try result(&self)
      write(" FROM (SELECT ")
      try values(of: left)
      write(" UNION SELECT ")
      try values(of: right)
      write(") AS e\(collection.frame)")
      try whereConditions(collection, " WHERE ")
    }
  }

  /// The plus removes a column's affinity, which would change the values of other parts while
  /// SQLite looks for duplicates
  /// (https://www.sqlite.org/datatype3.html#compound_select_statements).
  private mutating func values(of collection: BoundCollection) throws(NotTranslatable) {
    try body(collection, once: true) { writer throws(NotTranslatable) in
      writer.write("+")
      try writer.value(collection.value)
      writer.write(" AS column1")
    }
  }

  private mutating func whereConditions(
    _ collection: BoundCollection, _ word: String
  ) throws(NotTranslatable) {
    guard let condition = collection.condition else { return }
    write(word)
    try self.condition(condition, .filter)
  }

  mutating func item(
    _ collection: BoundCollection, _ position: ItemPosition
  ) throws(NotTranslatable) {
    guard case .related(_, let number) = collection.base, rows.indices.contains(number),
      let rows = rows[number]
    else {
      throw NotTranslatable(
        part: "[…]", reason: "a list that is not stored has no order in SQL")
    }
    var place: Int64 = 0
    var direction = ""
    switch position {
    case .first: break
    case .last: direction = " DESC"
    case .at(.constant(let constant)):
      guard let index = constant.integer, index >= 0 else { return write("NULL") }
      place = index
    case .at:
      throw NotTranslatable(
        part: "[…]", reason: "SQLite accepts only a constant as the position of a row")
    }
    write("(SELECT ")
    try body(collection, once: false) { writer throws(NotTranslatable) in
      try writer.value(collection.value)
    }
    write(" ORDER BY " + rows.order.map { $0 + direction }.joined(separator: ", ") + " LIMIT 1")
    if place > 0 { write(" OFFSET \(place)") }
    write(")")
  }
}
