import PassagePages
import PassageSQLite
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Rows that are copied page by page are the rows that SQLite copies with `INSERT … SELECT`.
@Suite struct RowCopierTests {
  static let seed = RandomSeed.told(for: "RowCopierTests")

  @Test(arguments: [512, 4_096, 65_536])
  func `random programs copy what SQLite copies`(pageBytes: Int) throws {
    var random = SeededRandom(seed: Self.seed &+ UInt64(pageBytes))
    var compared = 0
    for _ in 0..<60 {
      let trial = RandomCopy(random: &random)
      if try trial.run(pageBytes: pageBytes) { compared += 1 }
    }
    // The others would need conversions between texts and numbers.
    #expect(compared > 20, "only \(compared) of 60 could be compared")
  }

  @Test func `a constant that SQLite would convert is refused`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("old.db")
    let connection = try Connection(path: path, mode: .create, isSynced: false)
    try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, a)")
    let root = try connection.integer("SELECT rootpage FROM sqlite_master")
    let reader = try PageReader(path: path, logPath: path + "-wal")
    let sweep = TableSweep(reader, root: UInt32(root), columnCount: 2)
    let writer = TableTreeWriter(try PageFileWriter(path: path), root: UInt32(root))
    let columns = TableColumns(affinities: [.numeric, .text], keyColumn: 0)
    #expect(throws: ConvertedValue.self) {
      try RowCopier(
        sweep, writer, source: columns, entityColumn: nil, destination: columns,
        programs: [
          CopyProgram(
            entityNumber: nil, keyOffset: 0,
            cells: [CopyProgram.Cell(column: 1, origin: .constant(.integer(7)))])
        ])
    }
  }
}

/// A source table with random rows, and random programs for its entities.
private struct RandomCopy {
  private static let types = ["VARCHAR", "INTEGER", "FLOAT", "TIMESTAMP", "BLOB", "DECIMAL"]
  private static let keyOffset: Int64 = 1_000

  private let sourceTypes: [String]
  private let destinationTypes: [String]
  /// Key, entity, and the other cells.
  private let rows: [[Value]]
  /// By entity, for each column of the destination: where its cell comes from, and the same in SQL.
  private let programs: [[(origin: CopyProgram.Origin, sql: String)]]
  private let isDecidedByCaller: Bool
  /// By entity, what a cell must be for its row to be made, and the same in SQL.
  private let conditions: [(program: CellProgram?, sql: String)]
  /// What the caller puts in the place of cells of the second entity's rows with an even key.
  private let replacements: [Value?]

  init(random: inout SeededRandom) {
    sourceTypes = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      Self.types.randomElement(using: &random) ?? "BLOB"
    }
    let isWild = Int.random(in: 0..<3, using: &random) == 0
    var key: Int64 = 0
    let longest = [20, 200, 9_000].randomElement(using: &random) ?? 20
    rows = (0..<Int.random(in: 0...600, using: &random)).map { [sourceTypes] _ in
      key += Int64.random(in: 1...3, using: &random)
      return [.integer(key), .integer(Int64.random(in: 1...4, using: &random))]
        + sourceTypes.map { Self.value(for: $0, isWild, longest, &random) }
    }
    var destinationTypes: [String] = []
    let count = Int.random(in: 1...6, using: &random)
    for _ in 0..<count {
      destinationTypes.append(
        sourceTypes.randomElement(using: &random) ?? "BLOB")
    }
    self.destinationTypes = destinationTypes
    programs = (1...3).map { [sourceTypes] _ in
      destinationTypes.map { Self.origin(for: $0, from: sourceTypes, &random) }
    }
    isDecidedByCaller = Bool.random(using: &random)
    conditions = (1...3).map { [sourceTypes] _ in Self.condition(sourceTypes, &random) }
    replacements = destinationTypes.map { [isDecidedByCaller] type in
      isDecidedByCaller && Bool.random(using: &random)
        ? Self.value(for: type, isWild, longest, &random) : nil
    }
  }

  private static func condition(
    _ types: [String], _ random: inout SeededRandom
  ) -> (program: CellProgram?, sql: String) {
    guard Bool.random(using: &random),
      let column = types.indices.filter({ types[$0] != "VARCHAR" && types[$0] != "BLOB" })
        .randomElement(using: &random)
    else { return (nil, "1") }
    var program = CellProgram()
    program.constants = [.integer(0)]
    program.columns = [column + 2]
    program.steps = [
      .test(
        .columnCompares(column + 2, [.greater, .same], constant: 0, withNull: false),
        ifTrue: CellProgram.holds, ifFalse: CellProgram.fails)
    ]
    return (program, "c\(column) >= 0")
  }

  /// The cell where it is smaller than 5, and 7 otherwise.
  private static func smallOrSeven(_ place: Int) -> CellProgram {
    var program = CellProgram()
    program.constants = [5, 7]
    program.columns = [place]
    program.depth = 1
    program.steps = [
      .test(.columnCompares(place, .less, constant: 0, withNull: false), ifTrue: 1, ifFalse: 3),
      .column(place), .jump(4), .constant(1),
    ]
    return program
  }

  private static func value(
    for type: String, _ isWild: Bool, _ longest: Int, _ random: inout SeededRandom
  ) -> Value {
    let kind =
      isWild ? Int.random(in: 0...5, using: &random) : Int.random(in: 0...2, using: &random)
    if kind == 0 { return .null }
    let isText = type == "VARCHAR"
    if kind == 5 || (!isWild && type == "BLOB") {
      return .blob(Array(repeating: 7, count: Int.random(in: 0...longest, using: &random)))
    }
    if isText || kind == 4 {
      return .text(String(repeating: "é", count: Int.random(in: 0...longest / 2, using: &random)))
    }
    switch Int.random(in: 0...5, using: &random) {
    case 0: return .integer(Int64.random(in: -2...2, using: &random))
    case 1: return .integer(Int64.random(in: -70_000...70_000, using: &random))
    case 2: return .integer(Int64.random(in: .min ... .max, using: &random))
    case 3: return .real(Double(Int64.random(in: -1 << 50...1 << 50, using: &random)))
    case 4: return .real([0.0, -0.0, 0x1p63, -0x1p63, 1e300].randomElement(using: &random) ?? 0)
    default: return .real(Double.random(in: -1e6...1e6, using: &random))
    }
  }

  private static func origin(
    for type: String, from types: [String], _ random: inout SeededRandom
  ) -> (origin: CopyProgram.Origin, sql: String) {
    let alike = types.indices.filter { types[$0] == type }
    let column = alike.randomElement(using: &random) ?? 0
    let (place, name) = (column + 2, "c\(column)")
    let isNumber = type != "VARCHAR" && type != "BLOB"
    let number = "CASE WHEN typeof(\(name)) IN ('integer', 'real') THEN \(name) END"
    switch Int.random(in: 0..<(isNumber ? 11 : 3), using: &random) {
    case 9, 10:
      return (
        .computed(smallOrSeven(place), isRequired: false),
        "CASE WHEN \(name) < 5 THEN \(name) ELSE 7 END"
      )
    case 0:
      return isNumber ? (.constant(.integer(7)), "7") : (.constant(.blob([1, 2])), "x'0102'")
    case 1, 2: return (.copy(place), name)
    case 3: return (.key(offset: 5), "k + 5")
    case 4: return (.keyBeside(place), "CASE WHEN \(name) IS NOT NULL THEN k END")
    case 5: return (.entityNumber(place, if: 9), "CASE WHEN \(name) IS NOT NULL THEN 9 END")
    case 6: return calculation(place, number, &random)
    case 7:
      return (
        .arithmetic([
          .constant(.real(1)), .column(place), .apply(.subtract, isReal: false),
          .key, .apply(.divide, isReal: true),
        ]), "(1.0 - (\(number))) / k"
      )
    default:
      return (
        .arithmetic([
          .column(place), .constant(.integer(0)), .apply(.divide, isReal: false),
          .function(.boolean),
        ]), "NULL"
      )
    }
  }

  /// A calculation of a number and constants.
  private static func calculation(
    _ place: Int, _ number: String, _ random: inout SeededRandom
  ) -> (origin: CopyProgram.Origin, sql: String) {
    let constants: [(Number, String)] = [
      (.integer(2), "2"), (.integer(-1), "(-1)"), (.integer(1 << 40), "1099511627776"),
      (.integer(0), "0"), (.real(0.5), "0.5"), (.real(100), "100.0"),
    ]
    let operators: [(ArithmeticOperator, String)] = [
      (.add, "+"), (.subtract, "-"), (.multiply, "*"), (.divide, "/"),
    ]
    var (operations, sql) = ([CopyProgram.Operation.column(place)], "(\(number))")
    for step in 1...Int.random(in: 1...3, using: &random) {
      let (constant, constantSQL) = constants.randomElement(using: &random) ?? constants[0]
      let (operation, operatorSQL) = operators.randomElement(using: &random) ?? operators[0]
      if step == 1, Bool.random(using: &random) {
        operations.insert(.constant(constant), at: 0)
        sql = "(\(constantSQL) \(operatorSQL) \(sql))"
      } else {
        operations.append(.constant(constant))
        sql = "(\(sql) \(operatorSQL) \(constantSQL))"
      }
      operations.append(.apply(operation, isReal: false))
    }
    return (.arithmetic(operations), sql)
  }

  /// - Returns: false when a value would have to be converted.
  func run(pageBytes: Int) throws -> Bool {
    let folder = try TemporaryDirectory()
    let path = folder.path("copied.db")
    let connection = try Connection(path: path, mode: .create, isSynced: false)
    try connection.execute("PRAGMA page_size = \(pageBytes)")
    try connection.execute("PRAGMA auto_vacuum = 2")
    func list(_ types: [String]) -> String {
      types.enumerated().map { ", c\($0) \($1)" }.joined()
    }
    try connection.execute("CREATE TABLE s (k INTEGER PRIMARY KEY, e INTEGER\(list(sourceTypes)))")
    for name in ["copied", "made"] {
      try connection.execute(
        "CREATE TABLE \(name) (k INTEGER PRIMARY KEY\(list(destinationTypes)))")
    }
    let places = Array(repeating: "?", count: sourceTypes.count + 2).joined(separator: ", ")
    let insert = try connection.prepare("INSERT INTO s VALUES (\(places))")
    try connection.transaction {
      for row in rows {
        try insert.bind(row)
        try insert.run()
      }
    }
    for (number, program) in programs.enumerated() {
      let replaced = number == 1 ? replacements : program.map { _ in nil }
      let cells = zip(program, replaced).map { cell, replaced in
        replaced == nil ? cell.sql : "CASE WHEN k % 2 = 0 THEN ? ELSE \(cell.sql) END"
      }
      let make = try connection.prepare(
        "INSERT INTO made SELECT k + \(Self.keyOffset), \(cells.joined(separator: ", ")) "
          + "FROM s WHERE e = \(number + 1) AND \(conditions[number].sql)")
      try make.bind(replaced.compactMap(\.self))
      try make.run()
    }
    func root(_ name: String) throws -> UInt32 {
      UInt32(
        try connection.integer(
          "SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(name)]))
    }
    let roots = (source: try root("s"), destination: try root("copied"))
    do {
      try copy(path, roots)
    } catch is ConvertedValue {
      return false
    }
    let checked = try Connection(path: path, mode: .readOnly)
    #expect(try checked.rows("PRAGMA integrity_check") == [["ok"]])
    let types = destinationTypes.indices.map { ", typeof(c\($0))" }.joined()
    for (one, other) in [("copied", "made"), ("made", "copied")] {
      let difference = try checked.rows(
        "SELECT *\(types) FROM \(one) EXCEPT SELECT *\(types) FROM \(other) LIMIT 1")
      #expect(
        difference.isEmpty, "\(sourceTypes) \(destinationTypes) \(programs.map { $0.map(\.sql) })")
    }
    return true
  }

  private func expect(_ row: StoredRow, _ values: [Value]) {
    for (position, value) in values.enumerated() {
      #expect(row.value(at: position) == value)
      #expect(row.number(at: position) == Number(value))
      if let integer = row.storedInteger(at: position) { #expect(value == .integer(integer)) }
    }
  }

  /// Appends the row about which the caller decides, with the cells that it replaces.
  private func append(_ copier: RowCopier) throws {
    let replaced = replacements.enumerated().filter { $1 != nil && copier.key % 2 == 0 }
    if replaced.count == 1, case .integer(let number) = replaced[0].element {
      return try copier.append(replacing: replaced[0].offset, with: number)
    }
    for (cell, value) in replaced {
      if let value { try copier.replace(cell, with: value) }
    }
    try copier.append()
  }

  private func copy(_ path: String, _ roots: (source: UInt32, destination: UInt32)) throws {
    let reader = try PageReader(path: path, logPath: path + "-wal")
    let file = try PageFileWriter(path: path)
    let writer = TableTreeWriter(file, root: roots.destination)
    let columns = TableColumns(
      affinities: [.numeric, .numeric] + sourceTypes.map { Affinity(declaredType: $0) },
      keyColumn: 0)
    let copier = try RowCopier(
      TableSweep(reader, root: roots.source, columnCount: sourceTypes.count + 2), writer,
      source: columns, entityColumn: 1,
      destination: TableColumns(
        affinities: [.numeric] + destinationTypes.map { Affinity(declaredType: $0) },
        keyColumn: 0),
      programs: programs.enumerated().map { number, program in
        var copied = CopyProgram(
          entityNumber: Int64(number + 1), keyOffset: Self.keyOffset,
          cells: program.enumerated().map {
            CopyProgram.Cell(
              column: $0 + 1, origin: $1.origin,
              isReplaceable: number == 1 && replacements[$0] != nil)
          }, isDecidedByCaller: isDecidedByCaller && number == 1,
          callerColumns: Array(columns.affinities.indices))
        copied.condition = conditions[number].program
        return copied
      })
    let places = [-1] + Array(columns.affinities.indices)
    let snapshots = RowSnapshots(cells: places, of: columns)
    var snapshot = snapshots.makeRow()
    var kept: [(row: StoredRow, values: [Value])] = []
    var decided: Int64 = 0
    var stop = try copier.run(rows: 100, bytes: 1 << 20)
    while stop != .end {
      if case .row = stop {
        #expect(copier.isPrepared)
        copier.copyRow(to: snapshot)
        let values = places.map { Value(copier.cell($0)) }
        expect(snapshot, values)
        try append(copier)
        decided += 1
        if decided % 5 == 0 {
          kept.append((snapshot, values))
          copier.leaveCopy()
          snapshot = snapshots.makeRow()
        }
        stop = try copier.resume()
      } else {
        _ = try file.mark([writer])
        stop = try copier.run(rows: 100, bytes: 1 << 20)
      }
    }
    for (row, values) in kept { expect(row, values) }
    var read: Int64 = 0
    for program in programs.indices {
      let ofProgram = copier.takeReadCount(ofProgram: program)
      read += ofProgram
      let made = copier.takeMadeCount(ofProgram: program)
      let rejected = copier.takeRejectedCount(ofProgram: program)
      let isDecided = isDecidedByCaller && program == 1
      #expect(made + rejected + (isDecided ? decided : 0) == ofProgram)
    }
    #expect(read == Int64(rows.count { $0[1] != .integer(4) }))
    try writer.finish()
    try file.finish()
  }
}
