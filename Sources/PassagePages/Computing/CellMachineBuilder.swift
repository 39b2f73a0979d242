package import PassageValues

/// Collects the programs of a ``CellMachine``.
package struct CellMachineBuilder {
  private(set) var steps: [CellProgram.Step] = []
  private(set) var constants: [RawCell] = []
  private(set) var forms: [FixedDateForm] = []
  private(set) var printed: [PrintedDateForm] = []
  /// The deepest stack.
  private(set) var depth = 0
  /// The bytes of the constants.
  private(set) var arena = ValueArena()

  package init() {}

  /// Appends a program.
  package mutating func append(_ program: CellProgram) -> CellMachine.Place {
    let place = CellMachine.Place(
      firstStep: steps.count, stepCount: program.steps.count, firstConstant: constants.count,
      firstForm: forms.count, firstPrinted: printed.count)
    steps += program.steps
    forms += program.dateForms
    printed += program.printedForms
    for value in program.constants {
      constants.append(arena.kept(value))
    }
    depth = max(depth, program.depth)
    return place
  }
}
