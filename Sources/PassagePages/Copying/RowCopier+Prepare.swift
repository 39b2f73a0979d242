internal import PassageValues

/// What is computed before a row is made: the condition, and values that are more than arithmetic.
extension RowCopier {
  enum Preparation {
    case ready
    /// The condition does not hold.
    case rejected
    /// The caller evaluates the condition, and sets all computed cells.
    case undecided
  }

  /// Decides about a row and sets its computed cells.
  func prepare(_ program: UnsafePointer<CopyTable.Program>, _ record: RecordView) -> Preparation {
    let row = RowCells(
      key: sweep.key, record: record, keyColumn: keyColumn, affinities: sourceAffinities)
    machine.beginRow()
    if let condition = program.pointee.condition {
      switch machine.answer(condition, of: row) {
      case .holds: break
      case .fails: return .rejected
      case .undecided: return undecided(program)
      }
    }
    let required = program.pointee.firstRequired
    for place in required..<required + program.pointee.requiredCount
    where record.isNull(table.required[place]) {
      return undecided(program)
    }
    let first = program.pointee.firstComputed
    for place in first..<first + program.pointee.computedCount {
      let cell = table.computed[place]
      let step = steps[cell.step]
      // A value that SQLite would convert is told by the caller.
      guard let value = machine.value(cell.place, of: row),
        let image = step.affinity.image(of: value)
      else {
        guard cell.isDerived else { return undecided(program) }
        program.pointee.images[step.target] = .null
        continue
      }
      if cell.isRequired, image.type == SerialType.null { return undecided(program) }
      program.pointee.images[step.target] = image
    }
    return .ready
  }

  /// Leaves a row to the caller, without derived cells.
  private func undecided(_ program: UnsafePointer<CopyTable.Program>) -> Preparation {
    let first = program.pointee.firstComputed
    for place in first..<first + program.pointee.computedCount where table.computed[place].isDerived
    {
      program.pointee.images[steps[table.computed[place].step].target] = .null
    }
    return .undecided
  }

  /// Counts the computed cells that are NULL. Called when the row is made, not before.
  func countComputed(_ program: UnsafePointer<CopyTable.Program>, _ record: RecordView) {
    let first = program.pointee.firstComputed
    for place in first..<first + program.pointee.computedCount
    where !table.computed[place].isDerived {
      let index = table.computed[place].step
      if program.pointee.images[steps[index].target].type == SerialType.null {
        count(index, record)
      }
    }
  }
}
