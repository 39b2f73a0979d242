/// What a ``RowCopier`` has counted, to be added to what another one counts.
package struct CopyCounts: Sendable {
  /// By program: the rows it was given, those its condition left out, those it made.
  var rows: [(read: Int64, rejected: Int64, made: Int64)] = []
  /// The rows with the number of another entity.
  var foreign: Int64 = 0
  /// By step.
  var cells: [CopyTable.Count] = []
  /// By cell that counts them.
  var dangling: [Int64] = []

  /// The rows that programs were given.
  package var readCount: Int64 { rows.reduce(0) { $0 + $1.read } }
}

extension RowCopier {
  /// Takes what was counted since the last call.
  func takeCounts() -> CopyCounts {
    var counts = CopyCounts()
    counts.foreign = takeForeignCount()
    for program in 0..<programCount {
      counts.rows.append(
        (
          takeReadCount(ofProgram: program), takeRejectedCount(ofProgram: program),
          takeMadeCount(ofProgram: program)
        ))
    }
    for step in 0..<table.stepCount {
      counts.cells.append(table.counts[step])
      table.counts[step] = CopyTable.Count()
    }
    for cell in 0..<table.danglingCount {
      counts.dangling.append(table.dangling[cell])
      table.dangling[cell] = 0
    }
    return counts
  }

  /// Counts what a copier of the same programs has counted.
  package func add(_ counts: CopyCounts) {
    for (program, rows) in counts.rows.enumerated().prefix(programCount) {
      readCounts[program] &+= rows.read
      rejectedCounts[program] &+= rows.rejected
      madeCounts[program] &+= rows.made
    }
    foreignCount &+= counts.foreign
    for (step, count) in counts.cells.enumerated().prefix(table.stepCount) {
      table.counts[step].nulls &+= count.nulls
      table.counts[step].lost &+= count.lost
    }
    for (cell, count) in counts.dangling.enumerated().prefix(table.danglingCount) {
      table.dangling[cell] &+= count
    }
  }
}
