extension TableSweep {
  /// Adds the entries of the rows that follow to indexes.
  ///
  /// - Parameter most: so many rows at most.
  /// - Returns: false when there are no more rows.
  /// - Throws: as ``IndexBuilder/add(rowOf:)``.
  package func addRows(to builders: [IndexBuilder], most: Int) throws -> Bool {
    // Counting references for every row would cost a tenth of the whole.
    try withExtendedLifetime(builders) {
      try builders.map(Unmanaged.passUnretained).withUnsafeBufferPointer { builders in
        for _ in 0..<most {
          guard try next() else { return false }
          for builder in builders {
            try builder._withUnsafeGuaranteedRef { try $0.add(rowOf: self) }
          }
        }
        return true
      }
    }
  }
}
