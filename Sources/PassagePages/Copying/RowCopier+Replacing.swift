package import PassageValues

/// Rows in which the caller replaces cells of the program.
extension RowCopier {
  /// Replaces a cell of the row about which the caller decides, whatever the program says of it.
  ///
  /// - Parameter cell: the position of a cell that ``CopyProgram/Cell/isReplaceable``.
  /// - Throws: ``ConvertedValue``.
  package func replace(_ cell: Int, with value: Value) throws(ConvertedValue) {
    guard let index = table.step(ofCell: cell, in: latest) else { return }
    // A step is larger than what is read of it for a value.
    let step = UnsafePointer(steps + index)
    table.replacements[step.pointee.target] = try image(of: value, step.pointee)
    table.isReplaced[index] = true
    hasReplaced = true
  }

  /// Replaces a cell by a whole number.
  package func replace(_ cell: Int, with number: Int64) throws(ConvertedValue) {
    guard let index = table.step(ofCell: cell, in: latest) else { return }
    let step = UnsafePointer(steps + index)
    guard step.pointee.affinity == .numeric else {
      return try replace(cell, with: .integer(number))
    }
    table.replacements[step.pointee.target] = .integer(number)
    table.isReplaced[index] = true
    hasReplaced = true
  }

  /// Appends the row about which the caller has decided, with a whole number in the place of one cell.
  ///
  /// - Parameter cell: as for ``replace(_:with:)``.
  package func append(replacing cell: Int, with number: Int64) throws {
    guard let record, !hasReplaced, let index = table.step(ofCell: cell, in: latest),
      (steps + index).pointee.affinity == .numeric
    else {
      try replace(cell, with: number)
      return try append()
    }
    let program = UnsafePointer(programs + latest)
    if isPrepared, program.pointee.computedCount > 0 { countComputed(program, record) }
    let key = sweep.key &+ program.pointee.keyOffset
    var parts = RecordParts(types: types.bytes, values: values.bytes)
    if let firstLong = try assemble(
      program, record, &parts, hasReplaced: false, replaced: index, by: number)
    {
      try replace(cell, with: number)
      defer { removeReplacements() }
      try writeLongReplaced(program, record, key: key, firstLong: firstLong)
    } else {
      try append(parts, key: key)
    }
    noteCopied(program)
  }

  /// Counts the value that the program makes of the current row for a cell, if it loses a watched
  /// value: for a row, or a cell of a row, that is not written.
  package func countLoss(ofCell cell: Int) {
    guard let record, let index = table.step(ofCell: cell, in: latest) else { return }
    let step = steps[index]
    guard step.code == .arithmetic, case .null = calculate(step, record) else { return }
    let nulls = table.counts[index].nulls
    count(index, record)
    table.counts[index].nulls = nulls
  }

  func removeReplacements() {
    let (first, count) = (programs[latest].firstStep, programs[latest].stepCount)
    (table.isReplaced + first).update(repeating: false, count: count)
    hasReplaced = false
  }

  /// Makes a row with replaced cells and appends it.
  func writeReplaced(_ program: UnsafePointer<CopyTable.Program>, _ record: RecordView) throws {
    let key = sweep.key &+ program.pointee.keyOffset
    var parts = RecordParts(types: types.bytes, values: values.bytes)
    defer { noteCopied(program) }
    guard let firstLong = try assemble(program, record, &parts, hasReplaced: true) else {
      return try append(parts, key: key)
    }
    try writeLongReplaced(program, record, key: key, firstLong: firstLong)
  }

  private func writeLongReplaced(
    _ program: UnsafePointer<CopyTable.Program>, _ record: RecordView, key: Int64, firstLong: Int
  ) throws {
    exchangeConstants(program)
    defer { exchangeConstants(program) }
    try writeLong(program, record, key: key, firstLong: firstLong)
  }

  /// Exchanges the constants that are replaced in the current row and their replacements.
  private func exchangeConstants(_ program: UnsafePointer<CopyTable.Program>) {
    let first = program.pointee.firstStep
    for index in first..<first + program.pointee.stepCount
    where table.isReplaced[index] && steps[index].code == .set {
      let column = steps[index].target
      swap(&program.pointee.images[column], &table.replacements[column])
    }
  }
}
