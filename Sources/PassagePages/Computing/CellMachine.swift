package import PassageValues

/// Runs ``CellProgram``s over the cells of one row after the other: plain bytes, so that no reference
/// is counted and no memory is requested for a row.
///
/// Texts that a program makes are valid until ``beginRow()``.
package final class CellMachine {
  /// A program of the machine.
  package struct Place {
    var firstStep: Int
    var stepCount: Int
    var firstConstant: Int
    var firstForm: Int
    var firstPrinted: Int
  }

  /// The answer to a condition.
  package enum Answer {
    case holds
    case fails
    /// The expression itself must be evaluated.
    case undecided
  }

  let steps: UnsafeMutablePointer<CellProgram.Step>
  let constants: UnsafeMutablePointer<RawCell>
  let forms: UnsafeMutablePointer<FixedDateForm>
  let printed: UnsafeMutablePointer<PrintedDateForm>
  private let printedCount: Int
  let stack: UnsafeMutablePointer<RawCell>
  /// The texts that are made of the current row.
  let texts = ScratchTexts()
  /// The bytes of the constants.
  private let arena: ValueArena

  package init(_ programs: CellMachineBuilder) {
    arena = programs.arena
    steps = Self.owned(programs.steps)
    constants = Self.owned(programs.constants)
    forms = Self.owned(programs.forms)
    printed = Self.owned(programs.printed)
    printedCount = programs.printed.count
    stack = .allocate(capacity: max(1, programs.depth))
    stack.initialize(repeating: .null, count: max(1, programs.depth))
  }

  deinit {
    steps.deallocate()
    constants.deallocate()
    forms.deallocate()
    printed.deinitialize(count: printedCount)
    printed.deallocate()
    stack.deallocate()
  }

  private static func owned<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
    for (index, element) in elements.enumerated() { (memory + index).initialize(to: element) }
    return memory
  }

  /// Called before the programs of a row.
  package func beginRow() { texts.removeAll() }

  /// The value of a program; `nil` when it is undecided.
  package func value(_ place: Place, of row: some CellReader) -> RawCell? {
    run(place, row) == place.stepCount ? stack[0] : nil
  }

  /// The answer to a condition.
  package func answer(_ place: Place, of row: some CellReader) -> Answer {
    switch run(place, row) {
    case CellProgram.holds: .holds
    case CellProgram.fails: .fails
    default: .undecided
    }
  }

  /// In place of the end: the row is undecided.
  private static let undecided = Int.min

  /// - Returns: where the program ended.
  @inline(__always)
  private func run(_ place: Place, _ row: some CellReader) -> Int {
    let steps = self.steps + place.firstStep
    let constants = self.constants + place.firstConstant
    let stack = self.stack
    var top = 0
    var next = 0
    while next >= 0, next < place.stepCount {
      let step = steps[next]
      next += 1
      switch step {
      case .column(let column):
        stack[top] = row.cell(column)
        top += 1
      case .constant(let constant):
        stack[top] = constants[constant]
        top += 1
      case .key:
        stack[top] = .integer(row.key)
        top += 1
      case .test(.columnCompares(let column, let orders, let constant, let withNull), let a, let b):
        let holds = Self.compares(row.cell(column), constants[constant], orders, withNull)
        next = holds ? a : b
      case .test(let test, let ifTrue, let ifFalse):
        guard let holds = answer(test, constants, &top) else { return Self.undecided }
        next = holds ? ifTrue : ifFalse
      case .jump(let target): next = target
      case .date(let first, let count, let offset):
        guard let date = date(stack[top - 1], forms + place.firstForm + first, count, offset) else {
          return Self.undecided
        }
        stack[top - 1] = date
      case .printed(let form):
        guard let text = texts.printed(stack[top - 1], printed + place.firstPrinted + form) else {
          return Self.undecided
        }
        stack[top - 1] = text
      default:
        guard compute(step, &top) else { return Self.undecided }
      }
    }
    return next
  }
}
