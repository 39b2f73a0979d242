internal import PassageValues

/// The cells of a row as images: how rows with long values are made.
extension RowCopier {
  /// Makes the cells of a row.
  ///
  /// - Parameter firstLong: the step from which on cells that became NULL are counted: those before
  ///   have been.
  @inline(__always)
  func fill(
    _ program: UnsafePointer<CopyTable.Program>, _ record: RecordView, firstLong: Int
  ) throws {
    let end = program.pointee.firstStep + program.pointee.stepCount
    var index = program.pointee.firstStep
    while index < end {
      let step = steps[index]
      let image: CellImage
      if table.isReplaced[index] {
        if step.code != .set {
          program.pointee.images[step.target] = table.replacements[step.target]
        }
        index += 1
        continue
      }
      switch step.code {
      case .literal, .set:
        index += 1
        continue
      case .taken:
        guard step.taken.contain(step.column, of: record) else {
          throw ConvertedValue(column: step.target)
        }
        image = try copy(step, record)
      case .copy: image = try copy(step, record)
      case .arithmetic: image = try numberImage(calculate(step, record), step)
      case .shifted: image = try shifted(record.cell(step.column), step.number, step.keys, step)
      case .key: image = try numberImage(.integer(sweep.key &+ step.number), step)
      default: image = try other(step, record)
      }
      program.pointee.images[step.target] = image
      if image.type == SerialType.null, index >= firstLong { count(index, record) }
      index += 1
    }
  }

  /// Counts a cell that became NULL.
  func count(_ index: Int, _ record: RecordView) {
    table.counts[index].nulls &+= 1
    let first = steps[index].firstWatched
    for place in first..<first + steps[index].watchedCount
    where !record.isNull(table.watched[place]) {
      table.counts[index].lost &+= 1
      return
    }
  }

  /// A cell of the source as the destination column stores it.
  @inline(__always)
  func copy(_ step: CopyStep, _ record: RecordView) throws(ConvertedValue) -> CellImage {
    let type = record.type(step.column)
    if step.unchanged >> UInt16(min(type, 12 | (type & 1))) & 1 == 1 {
      return record.image(step.column)
    }
    // Most real numbers have a fraction, and are stored alike in all columns.
    if type == 7, step.affinity != .text, case .real(let value) = record.cell(step.column),
      !value.isWhole
    {
      return record.image(step.column)
    }
    return try image(of: cell(step.column, record), step)
  }

  @inline(never)
  func image(of cell: RawCell, _ step: CopyStep) throws(ConvertedValue) -> CellImage {
    guard let image = step.affinity.image(of: cell) else {
      throw ConvertedValue(column: step.target)
    }
    return image
  }

  @inline(__always)
  func numberImage(
    _ number: Number, _ step: CopyStep
  ) throws(ConvertedValue) -> CellImage {
    let cell: RawCell =
      switch number {
      case .null: .null
      case .integer(let value): .integer(value)
      case .real(let value): .real(value)
      }
    guard let image = step.affinity.image(of: cell) else {
      throw ConvertedValue(column: step.target)
    }
    return image
  }

  /// A column as SQLite gives it.
  @inline(__always)
  func cell(_ column: Int, _ record: RecordView) -> RawCell {
    if column == keyColumn { return .integer(sweep.key) }
    let cell = record.cell(column)
    // Whole numbers of such a column are stored as integers:
    // https://www.sqlite.org/fileformat2.html#record_format
    if case .integer(let value) = cell, sourceAffinities[column] == .real {
      return .real(Double(value))
    }
    return cell
  }

  /// A key, moved.
  @inline(__always)
  func shifted(
    _ key: RawCell, _ offset: Int64, _ keys: CopyProgram.KeyBounds, _ step: CopyStep
  ) throws(ConvertedValue) -> CellImage {
    switch key {
    case .null: return .null
    // The key is at most the largest one, so the sum does not overflow.
    case .integer(let value):
      return keys.contain(value) ? try numberImage(.integer(value &+ offset), step) : .null
    // A damaged key is left to SQLite.
    default: throw ConvertedValue(column: step.target)
    }
  }

  /// The less frequent origins.
  @inline(never)
  func other(
    _ step: CopyStep, _ record: RecordView
  ) throws(ConvertedValue) -> CellImage {
    let found = cell(step.column, record)
    switch step.code {
    case .entityNumber:
      if case .null = found { return .null }
      return try numberImage(.integer(step.number), step)
    case .entityNumberByEntity:
      for place in step.first..<step.first + step.count
      where found.isNumber(table.entityNumbers[place].source) {
        return try numberImage(.integer(table.entityNumbers[place].destination), step)
      }
      return .null
    case .keyBeside:
      if case .null = found { return .null }
      return try numberImage(.integer(sweep.key), step)
    case .copyBeside:
      // The other column says whether there is a value.
      if case .null = cell(step.other, record) { return .null }
      return try image(of: found, step)
    case .shiftedByEntity:
      let number = cell(step.other, record)
      for place in step.first..<step.first + step.count
      where number.isNumber(table.shifts[place].number) {
        let shift = table.shifts[place].shift
        guard let keys = shift.keys else { return try image(of: found, step) }
        return try shifted(found, shift.offset, keys, step)
      }
      return .null
    case .found, .foundEntityNumber, .keyBesideFound, .copyBesideFound:
      return try linked(found, step, record)
    default: return .null
    }
  }

  /// A part of a link to what the object with a key has become.
  private func linked(
    _ key: RawCell, _ step: CopyStep, _ record: RecordView
  ) throws(ConvertedValue) -> CellImage {
    let target: LinkTable.Target
    switch key {
    case .null: return .null
    case .integer(let value):
      guard let found = self.target(value, step) else { return .null }
      target = found
    // A damaged key is left to SQLite.
    default: throw ConvertedValue(column: step.target)
    }
    switch step.code {
    case .found: return try numberImage(.integer(target.key), step)
    case .foundEntityNumber: return try numberImage(.integer(target.entityNumber), step)
    case .keyBesideFound: return try numberImage(.integer(sweep.key), step)
    default: return try image(of: cell(step.other, record), step)
    }
  }

  /// What the object with a key has become; `nil` when that is nothing.
  private func target(_ key: Int64, _ step: CopyStep) -> LinkTable.Target? {
    let isDangling: Bool
    if step.run >= 0 {
      switch table.runs[step.run].current {
      case .object(let key, let entityNumber):
        return LinkTable.Target(key: key, entityNumber: entityNumber)
      case .nothing: return nil
      case .dangling: isDangling = true
      }
    } else {
      let parts = table.links + step.first
      if let found = LinkTable.find(key, in: parts, count: step.count) { return found }
      isDangling = !step.knowsExisting || parts[step.count].target(key) == nil
    }
    if step.code == .found, isDangling { table.dangling[step.dangling] &+= 1 }
    return nil
  }
}

extension RawCell {
  /// Whether the cell is a number equal to this one.
  func isNumber(_ number: Int64) -> Bool {
    switch self {
    case .integer(let value): value == number
    case .real(let value): value == Double(number)
    default: false
    }
  }
}
