internal import PassageValues

/// One step of a calculation of a column and constants, as most calculations are.
struct PlainStep {
  enum Code: UInt8 {
    case none
    /// The number becomes a real one, and the step is one on real numbers.
    case real
    /// 0 for zero, 1 for any other number.
    case boolean
    case add
    case subtract
    /// The number is subtracted from the constant.
    case subtractFrom
    case multiply
    case divide
    /// The constant is divided by the number.
    case divideInto
  }

  /// What it does to an integer, and to a real number.
  var onInteger: Code
  var onReal: Code
  /// Of the first step: whether the column is one of reals, which may store them as integers.
  var isRealColumn = false
  /// Of the first step.
  var column: Int
  /// The constant, as an integer if it is one, and as a real number.
  var integer: Int64 = 0
  var real: Double = 0

  /// - Returns: `nil` for a step of another kind, and for one whose number is NULL in every row.
  init?(_ step: NumberStep) {
    column = step.column
    switch step.code {
    case .column: (onInteger, onReal) = (.none, .none)
    case .function where step.function == .real: (onInteger, onReal) = (.real, .none)
    case .function where step.function == .boolean: (onInteger, onReal) = (.boolean, .boolean)
    case .columnAndConstant, .constantAndColumn, .lastAndConstant:
      guard let value = step.constant.double, !value.isNaN else { return nil }
      let isLeft = step.code == .constantAndColumn
      switch step.operation {
      case .add: onReal = .add
      case .subtract: onReal = isLeft ? .subtractFrom : .subtract
      case .multiply: onReal = .multiply
      case .divide where isLeft: onReal = .divideInto
      case .divide where value != 0: onReal = .divide
      default: return nil
      }
      real = value
      onInteger = .real
      if case .integer(let value) = step.constant, step.operation != .divide || !step.isReal {
        // A quotient of integers is rounded.
        guard onReal != .divideInto else { return nil }
        onInteger = onReal
        integer = value
      }
    default: return nil
    }
  }
}

extension CopyStep {
  /// Notes the only step of a calculation, if it is a frequent one.
  mutating func setReal(_ step: PlainStep) {
    realConstant = step.real
    switch step.onReal {
    case .add, .multiply, .divide: realCode = step.onReal
    case .subtract: (realCode, realConstant) = (.add, -step.real)
    default: return
    }
    realColumn = step.column
  }
}

extension RowCopier {
  /// Appends what a calculation of one step makes of a real number, if that has a fraction.
  ///
  /// - Returns: whether it has. All else is left to ``plainNumber(_:_:)``.
  @inline(__always)
  func appendReal(
    _ step: UnsafePointer<CopyStep>, _ record: RecordView, _ parts: inout RecordParts
  ) -> Bool {
    let column = step.pointee.realColumn
    guard column >= 0, column < record.count else { return false }
    let place = record.columns[column]
    guard place.type == SerialType.real else { return false }
    var number = record.real(at: place.offset)
    switch step.pointee.realCode {
    case .add: number += step.pointee.realConstant
    case .multiply: number *= step.pointee.realConstant
    default: number /= step.pointee.realConstant
    }
    guard number.hasFraction else { return false }
    parts.append(number)
    return true
  }

  /// What a calculation of a column and constants gives, as its column stores it.
  ///
  /// - Returns: NULL when it is another calculation, or when none of the usual numbers comes out.
  @inline(__always)
  func plainNumber(_ step: UnsafePointer<CopyStep>, _ record: RecordView) -> Number {
    guard step.pointee.firstPlain >= 0 else { return .null }
    var part = UnsafePointer(plainNumbers + step.pointee.firstPlain)
    let end = part + step.pointee.count
    let affinity = step.pointee.affinity
    guard part.pointee.column < record.count else { return .null }
    let place = record.columns[part.pointee.column]
    if place.type == SerialType.real {
      return Self.plainNumber(record.real(at: place.offset), part, end, affinity)
    }
    guard place.isInteger else { return .null }
    var number = record.integer(place)
    if part.pointee.isRealColumn { return Self.plainNumber(Double(number), part, end, affinity) }
    while part < end {
      let result: (partialValue: Int64, overflow: Bool)
      switch part.pointee.onInteger {
      case .none: result = (number, false)
      case .boolean: result = (number == 0 ? 0 : 1, false)
      case .add: result = number.addingReportingOverflow(part.pointee.integer)
      case .subtract: result = number.subtractingReportingOverflow(part.pointee.integer)
      case .subtractFrom: result = part.pointee.integer.subtractingReportingOverflow(number)
      case .multiply: result = number.multipliedReportingOverflow(by: part.pointee.integer)
      case .divide: result = number.dividedReportingOverflow(by: part.pointee.integer)
      case .real, .divideInto: return Self.plainNumber(Double(number), part, end, affinity)
      }
      if result.overflow { return .null }
      number = result.partialValue
      part += 1
    }
    return Self.stored(number, affinity)
  }

  /// What the steps from one on make of a real number. What is not a number stays so.
  @inline(__always)
  private static func plainNumber(
    _ number: Double, _ first: UnsafePointer<PlainStep>, _ end: UnsafePointer<PlainStep>,
    _ affinity: Affinity
  ) -> Number {
    var number = number
    var part = first
    while part < end {
      switch part.pointee.onReal {
      case .none, .real: break
      case .boolean: return .null
      case .add: number += part.pointee.real
      case .subtract: number -= part.pointee.real
      case .subtractFrom: number = part.pointee.real - number
      case .multiply: number *= part.pointee.real
      case .divide: number /= part.pointee.real
      case .divideInto:
        if number == 0 { return .null }
        number = part.pointee.real / number
      }
      part += 1
    }
    guard abs(number) < Double.smallLimit else { return .null }
    let sum = number + Double.roundingTerm
    guard sum - Double.roundingTerm == number else { return .real(number) }
    let mantissa = Int64(truncatingIfNeeded: sum.bitPattern & 0xF_FFFF_FFFF_FFFF)
    return stored(mantissa &- 0x8_0000_0000_0000, affinity)
  }

  /// A whole number, unless a column of reals has no integer for it.
  @inline(__always)
  private static func stored(_ number: Int64, _ affinity: Affinity) -> Number {
    affinity == .numeric || Affinity.realTakesInteger(number) ? .integer(number) : .null
  }
}
