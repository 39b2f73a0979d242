import PassageValues

extension CellProgramWriter {
  /// Writes steps that leave a value on the stack.
  mutating func write(_ node: BoundNode) -> Bool {
    switch node {
    case .constant(let value): return append(constant: value)
    case .cell(let path):
      guard let place = place(of: path) else { return false }
      return append(.column(place), takes: 0, leaves: 1)
    case .key: return append(.key, takes: 0, leaves: 1)
    case .now: return appendNow()
    case .arithmetic(let operation, let left, let right, let isReal):
      return write(left) && write(right)
        && append(.apply(operation, isReal: isReal), takes: 2, leaves: 1)
    case .call(let function, let arguments): return write(function, arguments)
    case .function(let function, let arguments): return write(function, arguments)
    case .conditional(let condition, let then, let otherwise):
      let (isTrue, isFalse, end) = (makeLabel(), makeLabel(), makeLabel())
      guard write(condition, isTrue, isFalse) else { return false }
      set(isTrue)
      guard write(then), appendJump(end) else { return false }
      forgetValue()
      set(isFalse)
      guard write(otherwise) else { return false }
      set(end)
      return true
    case .lookup, .policy, .element, .count, .aggregate, .item: return false
    }
  }

  private mutating func write(all nodes: [BoundNode]) -> Bool {
    for node in nodes { guard write(node) else { return false } }
    return true
  }

  // MARK: Functions

  private mutating func write(_ function: BuiltInFunction, _ arguments: [BoundNode]) -> Bool {
    guard arguments.count == function.argumentCount else { return false }
    if let ofNumber = function.ofNumber {
      return write(all: arguments) && append(.function(ofNumber), takes: 1, leaves: 1)
    }
    switch function {
    case .negate:
      return append(constant: 0) && write(all: arguments)
        && append(.apply(.subtract, isReal: false), takes: 2, leaves: 1)
    case .modulus: return write(all: arguments) && append(.modulus, takes: 2, leaves: 1)
    case .textFromNumber: return write(all: arguments) && append(.digits, takes: 1, leaves: 1)
    case .textFromBoolean: return write(all: arguments) && append(.flag, takes: 1, leaves: 1)
    case .dateFromText: return writeDate(arguments)
    default:
      guard let ofText = Self.ofText(function) else { return false }
      return write(all: arguments) && append(.text(ofText), takes: 1, leaves: 1)
    }
  }

  /// The same function of a text in ASCII.
  private static func ofText(_ function: BuiltInFunction) -> CellTextFunction? {
    switch function {
    case .uppercase: .uppercase
    case .lowercase, .foldCase, .foldBoth: .lowercase
    case .foldDiacritics: .withoutDiacritics
    case .length: .length
    case .numberFromText: .number
    default: nil
    }
  }

  /// Writes steps for a date in a text in one of the usual forms of ISO 8601.
  private mutating func writeDate(_ arguments: [BoundNode]) -> Bool {
    let forms = FixedDateForm.usual
    return write(all: arguments)
      && append(.date(first: add(forms), count: forms.count, offset: 0), takes: 1, leaves: 1)
  }

  private mutating func write(_ function: ValueFunction, _ arguments: [BoundNode]) -> Bool {
    guard !function.isRegistered, function.takes(arguments.count) else { return false }
    switch function.selector {
    case "coalesce:":
      return write(all: arguments)
        && append(.coalesce(arguments.count), takes: arguments.count, leaves: 1)
    case "concatenate:":
      return write(all: arguments)
        && append(.concatenate(arguments.count), takes: arguments.count, leaves: 1)
    case "join:":
      return write(all: arguments)
        && append(.join(arguments.count - 1), takes: arguments.count, leaves: 1)
    case "substring:from:":
      return write(all: arguments) && append(constant: .integer(.max))
        && append(.substring, takes: 3, leaves: 1)
    case "substring:from:length:":
      return write(all: arguments) && append(.substring, takes: 3, leaves: 1)
    case "trim:": return write(all: arguments) && append(.text(.trim), takes: 1, leaves: 1)
    case "parseDate:pattern:timeZone:locale:", "parseDateOrNull:pattern:timeZone:locale:":
      let texts = arguments.dropFirst().map { $0.constantValue?.string }
      guard let pattern = texts[0], let zone = texts[1], let locale = texts[2],
        let form = DateTexts.fixedForm(pattern, zone, locale)
      else { return false }
      return write(arguments[0])
        && append(
          .date(first: add([form.form]), count: 1, offset: form.offset), takes: 1, leaves: 1)
    case "parseDate:", "parseDateOrNull:": return writeDate(arguments)
    case "formatDate:pattern:timeZone:locale:":
      let texts = arguments.dropFirst().map { $0.constantValue?.string }
      guard let pattern = texts[0], let zone = texts[1], let locale = texts[2],
        let form = DateTexts.printedForm(pattern, zone, locale)
      else { return false }
      return write(arguments[0]) && append(.printed(add(form)), takes: 1, leaves: 1)
    default: return false
    }
  }
}

extension FixedDateForm {
  /// Dates, and dates with a time in seconds in UTC, as ISO 8601 and SQLite write them.
  fileprivate static let usual = [
    "yyyy-MM-dd HH:mm:ss", "yyyy-MM-ddTHH:mm:ssZ", "yyyy-MM-dd", "yyyy-MM-ddTHH:mm:ss",
    "yyyy-MM-dd HH:mm:ssZ",
  ].compactMap { FixedDateForm(pattern: $0) }
}
