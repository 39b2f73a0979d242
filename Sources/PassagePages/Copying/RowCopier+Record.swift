internal import PassageValues

/// Putting a row's record together in one go: how rows without long values are made.
extension RowCopier {
  /// - Parameter hasReplaced: whether cells of the row may be replaced.
  /// - Returns: the first step that makes a long value, whose row is not put together; `nil` when
  ///   there is none.
  @inline(__always)
  func assemble(
    _ program: CopyTable.Program, _ record: RecordView, _ parts: inout RecordParts,
    hasReplaced: Bool
  ) throws(ConvertedValue) -> Int? {
    let end = program.firstStep + program.stepCount
    var index = program.firstStep
    while index < end {
      let step = steps[index]
      var isNull = false
      if hasReplaced, table.isReplaced[index] {
        let image = table.replacements[step.target]
        guard image.byteCount <= RecordParts.longestValue else { return index }
        parts.append(image)
        index += 1
        continue
      }
      switch step.code {
      case .taken:
        guard step.taken.contain(step.column, of: record) else {
          throw ConvertedValue(column: step.target)
        }
        fallthrough
      case .copy:
        let type = record.type(step.column)
        let count = RecordView.byteCount(type)
        guard count <= RecordParts.longestValue else { return index }
        if step.unchanged >> UInt16(min(type, 12 | (type & 1))) & 1 == 1 {
          isNull = type == 0
          parts.append(type: UInt64(type), record.bytes(step.column), count: count)
        } else if type == 7 {
          isNull = try append(cell: record.cell(step.column), step, &parts)
        } else {
          isNull = try append(cell: cell(step.column, record), step, &parts)
        }
      case .literal:
        let base = table.literals
        parts.append(
          types: base + step.first, typeBytes: step.count, values: base + step.firstByte,
          valueBytes: step.byteCount)
      case .arithmetic:
        isNull = try append(number: calculate(step, record), step, &parts)
      case .shifted:
        guard case .integer(let key) = record.cell(step.column) else {
          guard record.isNull(step.column) else { throw ConvertedValue(column: step.target) }
          parts.appendNull()
          isNull = true
          break
        }
        isNull = try append(
          number: key > step.largest ? .null : .integer(key &+ step.number), step, &parts)
      case .key: isNull = try append(number: .integer(sweep.key &+ step.number), step, &parts)
      case .set:
        let image = program.images[step.target]
        guard image.byteCount <= RecordParts.longestValue else { return index }
        parts.append(image)
      default:
        let image = try other(step, record)
        guard image.byteCount <= RecordParts.longestValue else { return index }
        isNull = image.type == SerialType.null
        parts.append(image)
      }
      if isNull { count(index, step, record) }
      index += 1
    }
    return nil
  }

  /// Appends a number as the column stores it.
  ///
  /// - Returns: whether it is NULL.
  @inline(__always)
  private func append(
    number: Number, _ step: CopyStep, _ parts: inout RecordParts
  ) throws(ConvertedValue) -> Bool {
    switch number {
    case .null:
      parts.appendNull()
      return true
    case .integer(let value):
      if step.affinity == .numeric {
        parts.append(value)
        return false
      }
      return try append(cell: .integer(value), step, &parts)
    case .real(let value):
      if step.affinity == .numeric || step.affinity == .real,
        !value.isWhole
      {
        parts.append(value)
        return false
      }
      return try append(cell: .real(value), step, &parts)
    }
  }

  /// Appends a cell as the column stores it.
  @inline(__always)
  private func append(
    cell: RawCell, _ step: CopyStep, _ parts: inout RecordParts
  ) throws(ConvertedValue) -> Bool {
    if case .real(let value) = cell, step.affinity != .text, !value.isWhole {
      parts.append(value)
      return false
    }
    let image = try image(of: cell, step)
    parts.append(image)
    return image.type == SerialType.null
  }
}

extension RecordParts {
  /// Appends a value of at most ``longestValue`` bytes.
  mutating func append(_ image: CellImage) {
    append(type: image.type)
    let count = image.byteCount
    image.write(to: value, byteCount: count)
    advance(count)
  }
}
