internal import PassageValues

/// The steps that compute values.
extension CellMachine {
  @inline(__always)
  func date(
    _ cell: RawCell, _ forms: UnsafePointer<FixedDateForm>, _ count: Int, _ offset: Int
  ) -> RawCell? {
    guard case .text(let bytes) = cell else { return .null }
    for index in 0..<count {
      if let seconds = forms[index].seconds(bytes) { return .real(Double(seconds - offset)) }
    }
    return nil
  }

  /// The steps that compute a value from the last ones.
  ///
  /// - Returns: false when the value is undecided.
  func compute(_ step: CellProgram.Step, _ top: inout Int) -> Bool {
    switch step {
    case .apply(let operation, let isReal):
      top -= 1
      stack[top - 1] = RawCell(
        Number.apply(operation, Number(stack[top - 1]), Number(stack[top]), isReal: isReal))
    case .function(let function):
      stack[top - 1] = RawCell(Number.apply(function, Number(stack[top - 1])))
    case .modulus:
      top -= 1
      stack[top - 1] = RawCell(Number.modulus(Number(stack[top - 1]), Number(stack[top])))
    case .text(let function):
      guard let result = texts.apply(function, stack[top - 1]) else { return false }
      stack[top - 1] = result
    case .digits:
      guard let result = texts.digits(stack[top - 1]) else { return false }
      stack[top - 1] = result
    case .flag:
      guard let result = texts.flag(stack[top - 1]) else { return false }
      stack[top - 1] = result
    case .substring:
      top -= 2
      guard let part = texts.part(of: stack[top - 1], from: stack[top], count: stack[top + 1])
      else { return false }
      stack[top - 1] = part
    case .join(let count):
      top -= count
      guard let joined = texts.joined(stack + top, count, separator: stack[top - 1]) else {
        return false
      }
      stack[top - 1] = joined
    case .concatenate(let count):
      guard let joined = texts.joined(stack + top - count, count) else { return false }
      top -= count - 1
      stack[top - 1] = joined
    case .coalesce(let count):
      let first = stack + top - count
      var found = 0
      while found < count - 1, first[found].isNull { found += 1 }
      first[0] = first[found]
      top -= count - 1
    case .column, .constant, .key, .date, .printed, .test, .jump: return false
    }
    return true
  }
}

extension Number {
  @inline(__always)
  init(_ cell: RawCell) {
    switch cell {
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    default: self = .null
    }
  }
}

extension RawCell {
  @inline(__always)
  init(_ number: Number) {
    switch number {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    }
  }
}
