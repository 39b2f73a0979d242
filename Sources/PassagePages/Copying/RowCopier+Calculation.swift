internal import PassageValues

/// Arithmetic on the numbers of a row.
extension RowCopier {
  @inline(__always)
  func calculate(_ step: CopyStep, _ record: RecordView) -> Number {
    step.isChain ? calculateChain(step, record) : calculateWithStack(step, record)
  }

  /// A calculation that continues with the last number at each step.
  @inline(__always)
  private func calculateChain(_ step: CopyStep, _ record: RecordView) -> Number {
    var result = Number.null
    var place = step.first
    let end = place + step.count
    while place < end {
      let part = numbers[place]
      switch part.code {
      case .columnAndConstant:
        result = Self.apply(part, number(part.column, record), part.constant)
      case .lastAndConstant: result = Self.apply(part, result, part.constant)
      case .constantAndColumn:
        result = Self.apply(part, part.constant, number(part.column, record))
      case .function: result = Number.apply(part.function, result)
      case .column: result = number(part.column, record)
      case .constant: result = part.constant
      case .key: result = .integer(sweep.key)
      case .apply: break
      }
      place += 1
    }
    return result
  }

  /// Applies an operator. The most frequent operands come first.
  @inline(__always)
  private static func apply(_ part: NumberStep, _ left: Number, _ right: Number) -> Number {
    switch (left, right) {
    case (.real(let a), .real(let b)):
      switch part.operation {
      case .add: return Number(a + b)
      case .subtract: return Number(a - b)
      case .multiply: return Number(a * b)
      case .divide: return b == 0 ? .null : Number(a / b)
      default: break
      }
    case (.integer(let a), .integer(let b)):
      let result: (partialValue: Int64, overflow: Bool)
      switch part.operation {
      case .add: result = a.addingReportingOverflow(b)
      case .subtract: result = a.subtractingReportingOverflow(b)
      case .multiply: result = a.multipliedReportingOverflow(by: b)
      default: return applyRare(part, left, right)
      }
      if !result.overflow { return .integer(result.partialValue) }
    default: break
    }
    return applyRare(part, left, right)
  }

  @inline(never)
  private static func applyRare(_ part: NumberStep, _ left: Number, _ right: Number) -> Number {
    Number.apply(part.operation, left, right, isReal: part.isReal)
  }

  @inline(never)
  private func calculateWithStack(_ step: CopyStep, _ record: RecordView) -> Number {
    let stack = table.stack
    var top = 0
    for place in step.first..<step.first + step.count {
      let part = numbers[place]
      switch part.code {
      case .column:
        stack[top] = number(part.column, record)
        top += 1
      case .constant:
        stack[top] = part.constant
        top += 1
      case .key:
        stack[top] = .integer(sweep.key)
        top += 1
      case .apply:
        top -= 1
        stack[top - 1] = Self.apply(part, stack[top - 1], stack[top])
      case .columnAndConstant:
        stack[top] = Self.apply(part, number(part.column, record), part.constant)
        top += 1
      case .constantAndColumn:
        stack[top] = Self.apply(part, part.constant, number(part.column, record))
        top += 1
      case .lastAndConstant:
        stack[top - 1] = Self.apply(part, stack[top - 1], part.constant)
      case .function: stack[top - 1] = Number.apply(part.function, stack[top - 1])
      }
    }
    return stack[0]
  }

  /// A column as a number.
  @inline(__always)
  private func number(_ column: Int, _ record: RecordView) -> Number {
    switch cell(column, record) {
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    default: .null
    }
  }
}
