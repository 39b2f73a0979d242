internal import PassageDiagnostics
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

extension RecordGraph {
  private static let schemaName = RecordSchema.name

  /// Assigns keys, resolves links and completes both sides of each relationship.
  ///
  /// - Parameter allowsQuarantine: whether objects may be quarantined. If so, links to a
  ///   quarantined object are removed, or their own object is quarantined too.
  /// - Complexity: O(n log n) in the records and links; memory does not grow with them.
  func resolve(allowsQuarantine: Bool) throws {
    try store.writing {
      try connection.execute(
        "CREATE INDEX \(Self.schemaName).record_same ON record (root, same, number)")
      try rejectDuplicates()
      try giveKeys()
      try findTargets()
      while true {
        let before = rejectedCount
        try connection.execute("DELETE FROM \(Self.schemaName).link WHERE derived")
        if allowsQuarantine, before > 0 { try emptyLinks() }
        try complete()
        // Quarantining one object may require quarantining others.
        if !allowsQuarantine || rejectedCount == before { return }
      }
    }
  }

  /// Calls `body` for every row of a statement.
  func forEach(
    _ sql: String, _ values: [Value] = [], _ body: (Statement) throws -> Void
  ) throws {
    let statement = try connection.prepare(sql)
    try statement.bind(values)
    while try statement.step() { try body(statement) }
  }

  // MARK: Objects

  private func rejectDuplicates() throws {
    try forEach(
      """
      SELECT d.number, d.entity, d.line, d.place, f.line, f.place
      FROM (SELECT number, first_value(number) OVER (PARTITION BY root, same ORDER BY number) AS first
            FROM \(Self.schemaName).record WHERE root IS NOT NULL AND rejected < 2) AS p
      JOIN \(Self.schemaName).record AS d ON d.number = p.number
      JOIN \(Self.schemaName).record AS f ON f.number = p.first
      WHERE p.number <> p.first ORDER BY p.number
      """
    ) { row in
      let entity = entityName(row.integer(at: 1))
      try reject(
        row.integer(at: 0),
        RecordMistake.repeatedIdentifier(
          of: entity, at: location(row, 2), other: location(row, 4)),
        phase: 0)
      try connection.execute(
        "UPDATE \(Self.schemaName).record SET rejected = 2, key = NULL WHERE number = ?",
        [.integer(row.integer(at: 0))])
    }
  }

  /// Assigns keys. Positive numbers are kept. In a hierarchy with any other reference objects, the
  /// objects are numbered in the order of their reference objects.
  private func giveKeys() throws {
    for (number, root) in schema.roots.enumerated() where hasOnlyNumbers[root] == false {
      try connection.execute(
        """
        UPDATE \(Self.schemaName).record SET key = k.key
        FROM (SELECT number, row_number() OVER (ORDER BY coalesce(written, same)) AS key
              FROM \(Self.schemaName).record WHERE root = ? AND rejected < 2) AS k
        WHERE k.number = record.number
        """, [.integer(Int64(number))])
      if keepsIdentifiers[root] == true { continue }
      warnings.append(RecordMistake.replacedIdentifiers(of: root, path: path))
    }
  }

  // MARK: Links

  private func findTargets() throws {
    let name = Self.schemaName
    try connection.execute(
      """
      UPDATE \(name).link SET target =
        (SELECT r.number FROM \(name).record AS r
         WHERE r.root = (SELECT root FROM \(name).relation WHERE id = link.relation)
           AND r.same = link.same ORDER BY r.rejected = 2, r.number LIMIT 1);
      CREATE INDEX \(name).link_owner ON link (number, relation, target);
      CREATE TABLE \(name).repeated AS SELECT id, relation FROM
        (SELECT id, relation, row_number() OVER (PARTITION BY number, relation, target ORDER BY id) AS place
         FROM \(name).link WHERE target IS NOT NULL) WHERE place > 1;
      DELETE FROM \(name).link WHERE id IN (SELECT id FROM \(name).repeated)
      """)
    try forEach("SELECT relation, count(*) FROM \(name).repeated GROUP BY 1 ORDER BY 1") { row in
      warnings.append(
        RecordMistake.repeatedLinks(row.integer(at: 1), link(row.integer(at: 0)), path: path))
    }
    try forEach(
      """
      SELECT id, number, relation, line, place FROM \(name).link
      WHERE target IS NULL ORDER BY id
      """
    ) { row in
      try reject(
        row.integer(at: 1),
        RecordMistake.missingTarget(of: link(row.integer(at: 2)), at: location(row, 3)), phase: 2,
        link: row.integer(at: 0))
    }
    try forEach(
      """
      SELECT l.id, l.number, l.relation, t.entity, l.line, l.place FROM \(name).link AS l
      JOIN \(name).record AS t ON t.number = l.target
      WHERE NOT EXISTS (SELECT 1 FROM \(name).family AS f
                        WHERE f.relation = l.relation AND f.entity = t.entity) ORDER BY l.id
      """
    ) { row in
      let relation = schema.links[Int(row.integer(at: 2))].relationship
      try reject(
        row.integer(at: 1),
        RecordMistake.wrongTarget(
          of: link(row.integer(at: 2)), entityName(row.integer(at: 3)), relation,
          at: location(row, 4)), phase: 2, link: row.integer(at: 0))
    }
  }

  /// Removes links to rejected objects. An object that requires one is rejected too, once, for the first
  /// such relationship.
  private func emptyLinks() throws {
    let name = Self.schemaName
    var emptied: [Int64: Int64] = [:]
    defer {
      for (relation, count) in emptied.sorted(by: { $0.key < $1.key }) {
        warnings.append(RecordMistake.emptied(count, link(relation), path: path))
      }
    }
    // Each round has what the one before rejected: in a chain of objects that require each other, one.
    try connection.execute(
      """
      DROP TABLE IF EXISTS \(name).emptied;
      DROP TABLE IF EXISTS \(name).fresh;
      CREATE TABLE \(name).emptied (number INTEGER, relation INTEGER, line INTEGER,
        place INTEGER, cause_line INTEGER, cause_place INTEGER, PRIMARY KEY (number, relation)) WITHOUT ROWID;
      CREATE TABLE \(name).fresh (number INTEGER PRIMARY KEY);
      INSERT INTO \(name).fresh SELECT number FROM \(name).record WHERE rejected > 0;
      CREATE INDEX IF NOT EXISTS \(name).link_target ON link (target);
      CREATE INDEX IF NOT EXISTS \(name).link_number ON link (number, relation)
      """)
    while try connection.integer("SELECT EXISTS (SELECT 1 FROM \(name).fresh)") > 0 {
      try connection.execute(
        """
        DELETE FROM \(name).emptied;
        INSERT OR IGNORE INTO \(name).emptied
          SELECT l.number, l.relation, l.line, l.place, t.line, t.place
          FROM \(name).fresh AS f CROSS JOIN \(name).link AS l ON l.target = f.number
          JOIN \(name).record AS o ON o.number = l.number AND o.rejected = 0
          JOIN \(name).record AS t ON t.number = f.number
          ORDER BY l.id;
        DELETE FROM \(name).link WHERE id IN
          (SELECT l.id FROM \(name).fresh AS f CROSS JOIN \(name).link AS l ON l.target = f.number);
        DELETE FROM \(name).fresh
        """)
      try forEach(
        """
        SELECT e.relation, count(*) FROM \(name).emptied AS e
        JOIN \(name).relation AS r ON r.id = e.relation AND NOT r.required GROUP BY 1
        """
      ) { row in emptied[row.integer(at: 0), default: 0] += row.integer(at: 1) }
      var last: Int64?
      try forEach(
        """
        SELECT e.number, e.relation, e.line, e.place, e.cause_line, e.cause_place FROM \(name).emptied AS e
        JOIN \(name).relation AS r ON r.id = e.relation AND r.required
        WHERE NOT EXISTS (SELECT 1 FROM \(name).link AS l
                          WHERE l.number = e.number AND l.relation = e.relation) ORDER BY 1, 2
        """
      ) { row in
        guard row.integer(at: 0) != last else { return }
        last = row.integer(at: 0)
        try reject(
          row.integer(at: 0),
          RecordMistake.quarantinedTarget(
            of: link(row.integer(at: 1)), at: location(row, 2), cause: location(row, 4)), phase: 3)
        try connection.execute(
          "INSERT OR IGNORE INTO \(name).fresh VALUES (?)", [.integer(row.integer(at: 0))])
      }
    }
  }

  /// Adds the links that are only on the other side, as far as they are written.
  private func complete() throws {
    let name = Self.schemaName
    // For to-many relationships, links from the file keep their order; links added from the other
    // side follow, sorted by key.
    try connection.execute(
      """
      INSERT INTO \(name).link (number, relation, target, derived)
        SELECT l.target, i.inverse, l.number, 1 FROM \(name).link AS l
        JOIN \(name).record AS t ON t.number = l.target AND t.rejected = 0
        JOIN \(name).inverse AS i ON i.relation = l.relation AND i.entity = t.entity
        JOIN \(name).record AS o ON o.number = l.number AND o.rejected = 0
        WHERE i.many AND i.written AND NOT l.derived
          AND NOT EXISTS (SELECT 1 FROM \(name).link AS g WHERE g.number = l.target
                          AND g.relation = i.inverse AND g.target = l.number)
      """)
    try completeToOne()
  }

  /// The first object that refers to a target gets the link; any other is a contradiction.
  private func completeToOne() throws {
    let name = Self.schemaName
    let isRejected = try connection.prepare("SELECT rejected FROM \(name).record WHERE number = ?")
    let owner = try connection.prepare(
      "SELECT target FROM \(name).link WHERE number = ? AND relation = ? LIMIT 1")
    let insert = try connection.prepare(
      "INSERT INTO \(name).link (number, relation, target, derived) VALUES (?, ?, ?, 1)")
    func rejected(_ number: Int64) throws -> Bool {
      try isRejected.bind(number, at: 1)
      defer { isRejected.reset() }
      return try isRejected.step() && isRejected.integer(at: 0) > 0
    }
    var current: Int64 = 0
    var isCurrentRejected = false
    try forEach(
      """
      SELECT l.number, l.relation, l.target, i.inverse, l.line, l.place, t.entity, t.line, t.place
      FROM \(name).link AS l
      JOIN \(name).record AS t ON t.number = l.target
      JOIN \(name).inverse AS i ON i.relation = l.relation AND i.entity = t.entity
      WHERE NOT i.many AND NOT l.derived ORDER BY l.id
      """
    ) { row in
      let (number, target, inverse) = (row.integer(at: 0), row.integer(at: 2), row.integer(at: 3))
      if number != current { (current, isCurrentRejected) = (number, try rejected(number)) }
      if isCurrentRejected { return }
      if try rejected(target) { return }
      try owner.bind(target, at: 1)
      try owner.bind(inverse, at: 2)
      let known = try owner.step() ? owner.integer(at: 0) : nil
      owner.reset()
      guard let known else {
        try insert.bind([.integer(target), .integer(inverse), .integer(number)])
        return try insert.run()
      }
      if known == number { return }
      try reject(
        number,
        RecordMistake.contradiction(
          of: link(row.integer(at: 1)), at: location(row, 4),
          inverse: schema.links[Int(inverse)].relationship.name,
          of: entityName(row.integer(at: 6)), at: location(row, 7)), phase: 3)
    }
  }

  // MARK: Texts

  private func entityName(_ number: Int64) -> String { schema.entities[Int(number)].entity.name }

  private func link(_ number: Int64) -> String {
    let link = schema.links[Int(number)]
    return "“\(link.entity.entity.name).\(link.relationship.name)”"
  }

  /// The location stored in two columns.
  private func location(_ row: Statement, _ column: Int) -> SourceLocation? {
    if row.isNull(at: column) { return nil }
    return SourceLocation(
      file: path, line: Int(row.integer(at: column)),
      column: row.isNull(at: column + 1) ? nil : Int(row.integer(at: column + 1)))
  }
}

// MARK: Rejected records

extension RecordGraph {
  /// All mistakes in the order of the file; the first hundred in full.
  func mistakes() throws -> Diagnostics {
    var list = MistakeList()
    try forEachRejected { record in
      for mistake in record.mistakes { list.append(mistake) }
    }
    return list.diagnostics(path: path)
  }

  /// Calls `body` for each rejected record, in the order of the file as far as it is known.
  func forEachRejected(_ body: (AtomicStore.Contents.RejectedRecord) throws -> Void) throws {
    if rejectedCount == 0 { return }
    let name = RecordSchema.name
    try RecordGraph.sql(path) {
      var current: (number: Int64, record: AtomicStore.Contents.RejectedRecord)?
      try forEach(
        """
        SELECT m.number, r.name, r.entity, m.line, m.place, m.code, m.message, m.reason, m.remedy
        FROM (SELECT *, first_value(line) OVER w AS first_line, first_value(place) OVER w AS first_place
              FROM \(name).mistake
              WINDOW w AS (PARTITION BY number ORDER BY phase, link, id)) AS m
        JOIN \(name).record AS r ON r.number = m.number
        ORDER BY m.first_line, m.first_place, m.number, m.phase, m.link, m.id
        """
      ) { row in
        let number = row.integer(at: 0)
        if current?.number != number {
          if let current { try body(current.record) }
          let entity = row.value(at: 1).string ?? entityName(row.integer(at: 2))
          current = (number, AtomicStore.Contents.RejectedRecord(entityName: entity, mistakes: []))
        }
        current?.record.mistakes.append(
          Diagnostic(
            row.value(at: 5).string ?? "", row.value(at: 6).string ?? "", at: location(row, 3),
            reason: row.value(at: 7).string, remedy: row.value(at: 8).string))
      }
      if let current { try body(current.record) }
    }
  }
}
