/// What the rows were, by program.
extension RowCopier {
  /// The number of rows that a program has been given since the last call.
  package func takeReadCount(ofProgram program: Int) -> Int64 {
    defer { readCounts[program] = 0 }
    return readCounts[program]
  }

  /// The number of rows for which a program's condition did not hold since the last call.
  package func takeRejectedCount(ofProgram program: Int) -> Int64 {
    defer { rejectedCounts[program] = 0 }
    return rejectedCounts[program]
  }

  /// The number of rows that were made without the caller since the last call.
  package func takeMadeCount(ofProgram program: Int) -> Int64 {
    defer { madeCounts[program] = 0 }
    return madeCounts[program]
  }

  /// The number of rows with the number of another entity since the last call, in a table of one
  /// entity.
  package func takeForeignCount() -> Int64 {
    defer { foreignCount = 0 }
    return foreignCount
  }

  /// How often a cell that no caller set became NULL since the last call, and how often a watched
  /// column had a value then. A constant is not counted.
  package func takeNullCount(
    ofProgram program: Int, cell: Int
  ) -> (nulls: Int64, lost: Int64) {
    guard let step = table.step(ofCell: cell, in: program) else { return (0, 0) }
    defer { table.counts[step] = CopyTable.Count() }
    return (table.counts[step].nulls, table.counts[step].lost)
  }

  /// How many keys of a cell that is found in a table led to no object that there is, since the last
  /// call.
  package func takeDanglingCount(ofProgram program: Int, cell: Int) -> Int64 {
    guard let step = table.step(ofCell: cell, in: program) else { return 0 }
    guard steps[step].code == .found else { return 0 }
    defer { table.dangling[steps[step].dangling] = 0 }
    return table.dangling[steps[step].dangling]
  }
}
