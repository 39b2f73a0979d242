internal import PassageValues

/// The programs of a ``RowCopier`` as plain bytes, which it owns.
final class CopyTable {
  /// A program of the list.
  struct Program {
    var entityNumber: Int64
    var keyOffset: Int64
    var isDecidedByCaller: Bool
    /// Whether something is computed before a row is made.
    var isPrepared: Bool
    /// Which rows are made; `nil` for every row.
    var condition: CellMachine.Place?
    /// Where the columns without which a row is the caller's begin, and how many they are.
    var firstRequired: Int
    var requiredCount: Int
    /// Where the cells that are computed begin, and how many they are.
    var firstComputed: Int
    var computedCount: Int
    var firstStep: Int
    var stepCount: Int
    /// Where its cells begin in a list of their steps, and how many they are.
    var firstCell: Int
    var cellCount: Int
    /// The last column of the source that is read; -1 when none is.
    var lastColumn: Int
    /// The cells of the row that is being made, constants filled in.
    var images: UnsafeMutablePointer<CellImage>
    /// The set of the keys of the rows that were copied: its bits, its first key, and the place of
    /// its last one.
    var copiedKeys: UnsafeMutablePointer<UInt64>?
    var firstCopiedKey: Int64 = 0
    var lastCopiedIndex: UInt64 = 0
  }

  /// A cell that is computed before a row is made.
  struct Computed {
    var place: CellMachine.Place
    /// Its step among the row's.
    var step: Int
    var isRequired: Bool
    /// Whether it is NULL where it cannot be computed, and not the caller's.
    var isDerived: Bool
  }

  /// How often a cell became NULL.
  struct Count {
    var nulls: Int64 = 0
    /// How often a watched column had a value then.
    var lost: Int64 = 0
  }

  let programs: UnsafeMutablePointer<Program>
  let steps: UnsafeMutablePointer<CopyStep>
  let numbers: UnsafeMutablePointer<NumberStep>
  let plainNumbers: UnsafeMutablePointer<PlainStep>
  let shifts: UnsafeMutablePointer<CopyProgram.EntityShift>
  let entityNumbers: UnsafeMutablePointer<CopyProgram.EntityNumber>
  let links: UnsafeMutablePointer<LinkTable.Part>
  /// What the links of the rows lead to, where it is not looked up.
  let runs: [LinkRun]
  /// How many keys led to no object that there is, by cell.
  let dangling: UnsafeMutablePointer<Int64>
  let danglingCount: Int
  let watched: UnsafeMutablePointer<Int>
  let required: UnsafeMutablePointer<Int>
  let computed: UnsafeMutablePointer<Computed>
  let machine: CellMachine
  /// The type codes and the values of literals, and how many bytes they are.
  let literals: UnsafeMutablePointer<UInt8>
  let literalBytes: Int
  /// By step.
  let counts: UnsafeMutablePointer<Count>
  let stepCount: Int
  /// The stack of calculations.
  let stack: UnsafeMutablePointer<Number>
  /// By step, whether its cell is replaced in the current row.
  let isReplaced: UnsafeMutablePointer<Bool>
  /// By column, the cell that replaces another one.
  let replacements: UnsafeMutablePointer<CellImage>
  private let stepsOfCells: UnsafeMutablePointer<Int>
  private var arena = ValueArena()
  /// What ``links`` and the programs refer to.
  private let kept: (links: [LinkTable], sets: [KeySet?])
  private let images: UnsafeMutablePointer<CellImage>

  /// - Parameters:
  ///   - links: the tables to which the cells of the programs refer.
  ///   - copiedKeys: by program, the set that gets the keys of the copied rows.
  /// - Throws: ``ConvertedValue`` when a constant would be converted by SQLite.
  init(
    _ list: [CopyProgram], source: TableColumns, destination: TableColumns,
    links tables: [LinkTable] = [], copiedKeys: [KeySet?] = []
  ) throws(ConvertedValue) {
    let columnCount = max(1, destination.affinities.count)
    let images = UnsafeMutablePointer<CellImage>.allocate(capacity: columnCount * list.count)
    images.initialize(repeating: .null, count: columnCount * list.count)
    var builder = CopyTableBuilder(source: source, destination: destination, links: tables)
    do {
      for (index, program) in list.enumerated() {
        try builder.append(program, images: images + index * columnCount, &arena)
      }
    } catch {
      images.deallocate()
      throw error
    }
    self.images = images
    kept = (tables, copiedKeys)
    stepsOfCells = Self.owned(builder.stepsOfCells)
    isReplaced = Self.owned(builder.steps.map { _ in false })
    replacements = .allocate(capacity: columnCount)
    replacements.initialize(repeating: .null, count: columnCount)
    programs = Self.owned(builder.programs)
    for (index, set) in copiedKeys.enumerated() where index < list.count {
      programs[index].copiedKeys = set?.words
      programs[index].firstCopiedKey = set?.first ?? 0
      programs[index].lastCopiedIndex = set?.lastIndex ?? 0
    }
    links = Self.owned(builder.links)
    runs = builder.runs
    danglingCount = builder.danglingCount
    dangling = Self.owned((0..<builder.danglingCount).map { _ in 0 })
    stepCount = builder.steps.count
    steps = Self.owned(builder.steps)
    numbers = Self.owned(builder.numbers)
    plainNumbers = Self.owned(builder.plainNumbers)
    shifts = Self.owned(builder.shifts)
    entityNumbers = Self.owned(builder.entityNumbers)
    watched = Self.owned(builder.watched)
    required = Self.owned(builder.required)
    computed = Self.owned(builder.computed)
    machine = CellMachine(builder.cellPrograms)
    literalBytes = builder.literals.count
    // Short parts are copied sixteen bytes at a time.
    literals = Self.owned(builder.literals + Array(repeating: 0, count: RecordView.slack))
    counts = Self.owned(builder.steps.map { _ in Count() })
    stack = .allocate(capacity: builder.depth)
    stack.initialize(repeating: .null, count: builder.depth)
  }

  deinit {
    images.deallocate()
    stepsOfCells.deallocate()
    isReplaced.deallocate()
    replacements.deallocate()
    programs.deallocate()
    steps.deallocate()
    numbers.deallocate()
    plainNumbers.deallocate()
    shifts.deallocate()
    entityNumbers.deallocate()
    links.deallocate()
    dangling.deallocate()
    watched.deallocate()
    required.deallocate()
    computed.deallocate()
    literals.deallocate()
    counts.deallocate()
    stack.deallocate()
  }

  /// The step of a cell of a program; `nil` for a cell that is the same in every row.
  @inline(__always)
  func step(ofCell cell: Int, in program: Int) -> Int? {
    let program = UnsafePointer(programs + program)
    guard cell >= 0, cell < program.pointee.cellCount else { return nil }
    let step = stepsOfCells[program.pointee.firstCell &+ cell]
    return step >= 0 ? step : nil
  }

  private static func owned<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
    for (index, element) in elements.enumerated() { (memory + index).initialize(to: element) }
    return memory
  }
}

/// A value that is left to SQLite: one that it would convert between text and number, or one that is
/// not stored as a type that a cell takes.
package struct ConvertedValue: Error, Sendable {
  /// The column's position in the destination table.
  package let column: Int
}
