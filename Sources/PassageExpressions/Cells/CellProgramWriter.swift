package import PassageModels
package import PassageValues

extension BoundExpression {
  /// The value as steps over the cells of a row; `nil` for a value that needs more.
  ///
  /// - Parameters:
  ///   - now: the value of `now()`.
  ///   - column: the position of a cell in the row; `nil` for a cell that is not in it.
  package func cellProgram(
    now: Double, column: @escaping (ResolvedKeyPath) -> Int?
  ) -> CellProgram? {
    var writer = CellProgramWriter(now: now, column: column)
    return writer.write(node) ? writer.finished() : nil
  }
}

extension BoundExpression {
  /// The value of an attribute that a text function of this value derives, as
  /// ``cellProgram(now:column:)`` has it; `nil` also for another function, or a value that is no text.
  package func cellProgram(
    of derivation: Derivation.Function, now: Double,
    column: @escaping (ResolvedKeyPath) -> Int?
  ) -> CellProgram? {
    let function: BuiltInFunction
    switch derivation {
    case .uppercase: function = .uppercase
    case .lowercase: function = .lowercase
    case .canonical: function = .foldBoth
    default: return nil
    }
    guard type == .string else { return nil }
    var writer = CellProgramWriter(now: now, column: column)
    return writer.write(.call(function, [node])) ? writer.finished() : nil
  }
}

extension BoundPredicate {
  /// The predicate as steps over the cells of a row; `nil` for one that needs more. Parameters are
  /// those of an expression.
  package func cellProgram(
    now: Double, column: @escaping (ResolvedKeyPath) -> Int?
  ) -> CellProgram? {
    var writer = CellProgramWriter(now: now, column: column)
    return writer.write(condition, CellProgram.holds, CellProgram.fails)
      ? writer.finished() : nil
  }
}

/// Writes the steps of a ``CellProgram``.
///
/// Every method that writes says whether the steps give exactly what ``Compiler`` gives, or leave
/// the row undecided. When one says no, what was written is of no use.
struct CellProgramWriter {
  /// Longer programs are not faster than what they replace.
  private static let maximumSteps = 1_000

  private let now: Double
  private let column: (ResolvedKeyPath) -> Int?
  private var program = CellProgram()
  /// The number of values on the stack.
  private var height = 0
  /// The step of each label; a branch to a label that is not known yet has its number.
  private var labels: [Int] = []

  init(now: Double, column: @escaping (ResolvedKeyPath) -> Int?) {
    self.now = now
    self.column = column
  }

  /// The program, with the steps of labels in place of their numbers.
  func finished() -> CellProgram? {
    guard program.steps.count <= Self.maximumSteps else { return nil }
    var finished = program
    func step(_ target: Int) -> Int { target < 0 ? target : labels[target] }
    for index in finished.steps.indices {
      switch finished.steps[index] {
      case .test(let test, let ifTrue, let ifFalse):
        finished.steps[index] = .test(test, ifTrue: step(ifTrue), ifFalse: step(ifFalse))
      case .jump(let target): finished.steps[index] = .jump(step(target))
      default: break
      }
    }
    return finished
  }

  // MARK: Steps

  /// Appends a step that takes values from the stack and may leave one.
  mutating func append(_ step: CellProgram.Step, takes: Int, leaves: Int) -> Bool {
    program.steps.append(step)
    height += leaves - takes
    program.depth = max(program.depth, height)
    return program.steps.count <= Self.maximumSteps
  }

  /// Appends a test of the last values, and where to go on.
  mutating func append(_ test: CellTest, takes: Int, _ ifTrue: Int, _ ifFalse: Int) -> Bool {
    append(.test(test, ifTrue: ifTrue, ifFalse: ifFalse), takes: takes, leaves: 0)
  }

  mutating func appendJump(_ target: Int) -> Bool { append(.jump(target), takes: 0, leaves: 0) }

  /// A label, whose place is set later.
  mutating func makeLabel() -> Int {
    labels.append(0)
    return labels.count - 1
  }

  /// Sets a label before the next step.
  mutating func set(_ label: Int) { labels[label] = program.steps.count }

  /// Forgets the last value: another branch leaves it.
  mutating func forgetValue() { height -= 1 }

  mutating func append(constant value: Value) -> Bool {
    guard let place = place(of: value) else { return false }
    return append(.constant(place), takes: 0, leaves: 1)
  }

  /// The place of a new constant; `nil` for one that cells do not hold.
  mutating func place(of value: Value) -> Int? {
    if case .malformedText = value { return nil }
    program.constants.append(value)
    return program.constants.count - 1
  }

  /// Appends forms of dates.
  ///
  /// - Returns: the place of the first.
  mutating func add(_ forms: [FixedDateForm]) -> Int {
    program.dateForms += forms
    return program.dateForms.count - forms.count
  }

  mutating func add(_ form: PrintedDateForm) -> Int {
    program.printedForms.append(form)
    return program.printedForms.count - 1
  }

  /// The position of a cell of the object itself.
  mutating func place(of path: ResolvedKeyPath) -> Int? {
    guard path.relationships.isEmpty, let place = column(path), place >= 0 else { return nil }
    program.columns.append(place)
    return place
  }

  mutating func appendNow() -> Bool { append(constant: Value(Number(now))) }
}
