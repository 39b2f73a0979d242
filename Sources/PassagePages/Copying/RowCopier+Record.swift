internal import PassageValues

/// Putting a row's record together in one go: how rows without long values are made.
extension RowCopier {
  /// - Parameters:
  ///   - hasReplaced: whether cells of the row may be replaced.
  ///   - replaced: a step in whose place a number comes; -1 for none.
  /// - Returns: the first step that makes a long value, whose row is not put together; `nil` when
  ///   there is none.
  @inline(__always)
  func assemble(
    _ program: UnsafePointer<CopyTable.Program>, _ record: RecordView, _ parts: inout RecordParts,
    hasReplaced: Bool, replaced: Int = -1, by number: Int64 = 0
  ) throws(ConvertedValue) -> Int? {
    let end = program.pointee.firstStep + program.pointee.stepCount
    var index = program.pointee.firstStep
    while index < end {
      // A step is larger than what is read of it for a row.
      let step = UnsafePointer(steps + index)
      if replaced >= 0, index == replaced {
        parts.append(number)
        index &+= 1
        continue
      }
      if hasReplaced, table.isReplaced[index] {
        guard append(table.replacements[step.pointee.target], to: &parts) else { return index }
        index &+= 1
        continue
      }
      var isMade = false
      switch step.pointee.code {
      case .copy: isMade = appendCopy(index, record, &parts)
      case .taken:
        guard step.pointee.taken.contain(step.pointee.column, of: record) else {
          throw ConvertedValue(column: step.pointee.target)
        }
        isMade = appendCopy(index, record, &parts)
      case .literal:
        let base = table.literals
        parts.append(
          types: base + step.pointee.first, typeBytes: step.pointee.count,
          values: base + step.pointee.firstByte, valueBytes: step.pointee.byteCount)
        isMade = true
      case .arithmetic:
        isMade = appendReal(step, record, &parts)
        if isMade { break }
        isMade = true
        switch plainNumber(step, record) {
        case .integer(let number): parts.append(number)
        case .real(let number): parts.append(number)
        case .null: isMade = false
        }
      case .shifted: isMade = appendShifted(step, record, &parts)
      case .key:
        isMade = step.pointee.affinity == .numeric
        if isMade { parts.append(sweep.key &+ step.pointee.number) }
      case .set: isMade = append(program.pointee.images[step.pointee.target], to: &parts)
      default: break
      }
      if !isMade {
        var rarer = parts
        guard try appendAny(index, program, record, &rarer) else { return index }
        parts = rarer
      }
      index &+= 1
    }
    return nil
  }

  /// Appends a value by a call to which a copy is given, so that the other steps have the places in
  /// registers.
  ///
  /// - Returns: false when it is long.
  @inline(__always)
  private func append(_ image: CellImage, to parts: inout RecordParts) -> Bool {
    var copy = parts
    guard append(image, &copy) else { return false }
    parts = copy
    return true
  }

  /// Appends a copied value that the column stores as it is.
  ///
  /// - Returns: whether it does.
  @inline(__always)
  private func appendCopy(
    _ index: Int, _ record: RecordView, _ parts: inout RecordParts
  ) -> Bool {
    let step = UnsafePointer(steps + index)
    let column = step.pointee.column
    guard column < record.count else { return false }
    let place = record.columns[column]
    if step.pointee.unchanged &>> UInt16(min(place.type, 12 | (place.type & 1))) & 1 == 1 {
      let count = RecordView.byteCount(place.type)
      guard count <= RecordParts.longestValue else { return false }
      parts.append(type: UInt64(place.type), record.base + Int(place.offset), count: count)
      if place.type == SerialType.null { self.count(index, record) }
      return true
    }
    guard place.type == SerialType.real, step.pointee.affinity != .text else { return false }
    let value = record.real(at: place.offset)
    guard value.hasFraction else { return false }
    parts.append(value)
    return true
  }

  /// Appends a value.
  ///
  /// - Returns: false when it is long.
  @inline(never)
  private func append(_ image: CellImage, _ parts: inout RecordParts) -> Bool {
    let count = image.byteCount
    guard count <= RecordParts.longestValue else { return false }
    parts.append(type: image.type)
    if image.bytes == nil {
      parts.append(bitsOfNumber: image.word, count: count)
    } else {
      image.write(to: parts.value, byteCount: count)
      parts.advance(count)
    }
    return true
  }

  /// Appends a key that is moved.
  ///
  /// - Returns: whether it is one, and the column stores it as it is.
  @inline(__always)
  private func appendShifted(
    _ step: UnsafePointer<CopyStep>, _ record: RecordView, _ parts: inout RecordParts
  ) -> Bool {
    let column = step.pointee.column
    guard step.pointee.affinity == .numeric, column < record.count else { return false }
    let place = record.columns[column]
    guard place.isInteger else { return false }
    let key = record.integer(place)
    guard step.pointee.keys.contain(key) else { return false }
    // The key is at most the largest one, so the sum does not overflow.
    parts.append(key &+ step.pointee.number)
    return true
  }

  /// Appends a cell of any kind.
  ///
  /// - Returns: false when its value is long.
  @inline(never)
  private func appendAny(
    _ index: Int, _ program: UnsafePointer<CopyTable.Program>, _ record: RecordView,
    _ parts: inout RecordParts
  ) throws(ConvertedValue) -> Bool {
    let step = steps[index]
    let image: CellImage
    switch step.code {
    case .set: return append(program.pointee.images[step.target], &parts)
    case .literal: return true
    case .copy, .taken: image = try copy(step, record)
    case .arithmetic: image = try numberImage(calculate(step, record), step)
    case .shifted: image = try shifted(record.cell(step.column), step.number, step.keys, step)
    case .key: image = try numberImage(.integer(sweep.key &+ step.number), step)
    default: image = try other(step, record)
    }
    guard append(image, &parts) else { return false }
    if image.type == SerialType.null { count(index, record) }
    return true
  }
}
