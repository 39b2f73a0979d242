import PassageDiagnostics
import PassageModels
import PassageValues

/// Warnings of numbers that are out of the range of the attribute they are compared with.
extension BindingPass {
  /// Warns of a constant that the attribute it is compared with cannot hold, and of a comparison that
  /// has one answer for every value of the attribute's type.
  mutating func warnOfRange(_ operands: [Operand], _ comparison: Comparison) {
    // Of a value that was refused, nothing is known.
    if operands.contains(where: \.isMistake) { return }
    switch comparison.operator {
    case .equal, .notEqual:
      let answer = comparison.operator == .equal ? "never" : "always"
      for (cell, other) in [(operands[0], operands[1]), (operands[1], operands[0])] {
        guard let attribute = cell.attribute, let constant = other.constant else { continue }
        if constant.isNull, cell.isRequired {
          neverVaries("“\(cell.pathName)” is required: this \(answer) holds", comparison)
        }
        if !attribute.type.canEqual(constant) {
          neverVaries(
            "“\(cell.pathName)” cannot hold \(other.text): this \(answer) holds", comparison)
        }
      }
    case .less: warn(of: [Finding(.less, operands[0], operands[1])], comparison)
    case .lessOrEqual: warn(of: [Finding(.lessOrEqual, operands[0], operands[1])], comparison)
    case .greater: warn(of: [Finding(.greater, operands[0], operands[1])], comparison)
    case .greaterOrEqual: warn(of: [Finding(.greaterOrEqual, operands[0], operands[1])], comparison)
    default: break
    }
  }

  /// Warns of bounds between which every value of the attribute's type lies, or none.
  ///
  /// - Parameter operands: the value, the lower and the upper bound.
  mutating func warnOfBounds(_ operands: [Operand], _ comparison: Comparison) {
    if operands.contains(where: \.isMistake) { return }
    let findings = [
      Finding(.greaterOrEqual, operands[0], operands[1]),
      Finding(.lessOrEqual, operands[0], operands[2]),
    ]
    if findings.contains(where: { $0?.holds == false }) || findings.allSatisfy({ $0 != nil }) {
      return warn(of: findings, comparison)
    }
    guard let attribute = operands[0].attribute, let lower = operands[1].constant,
      let upper = operands[2].constant, !attribute.type.hasValue(between: lower, and: upper)
    else { return }
    neverVaries(
      "no value of “\(operands[0].pathName)” is between \(operands[1].text) and "
        + "\(operands[2].text): this never holds", comparison)
  }

  /// Warns of the elements of a list that can never be equal to a value.
  mutating func warnOfElements(
    _ value: Operand, _ elements: [Operand], _ comparison: Comparison
  ) {
    if value.isMistake || elements.contains(where: \.isMistake) { return }
    let unfit = elements.filter { element in
      if let attribute = value.attribute, let constant = element.constant {
        return !attribute.type.canEqual(constant)
      }
      if let attribute = element.attribute, let constant = value.constant {
        return !attribute.type.canEqual(constant)
      }
      return false
    }
    guard !unfit.isEmpty else { return }
    let names = unfit.prefix(Self.maximumNames).map {
      value.attribute == nil ? "“\($0.pathName)”" : $0.text
    }
    let more = unfit.count > names.count ? " and \(unfit.count - names.count) more" : ""
    let list = names.joined(separator: ", ") + more
    let what =
      value.attribute == nil
      ? "\(list) cannot hold \(value.text)" : "“\(value.pathName)” cannot hold \(list)"
    if unfit.count == elements.count {
      neverVaries("\(what): this never holds", comparison)
    } else {
      let which =
        unfit.count == 1 ? "this element of the list is" : "these elements of the list are"
      neverVaries("\(what): \(which) never equal to the value", comparison)
    }
  }

  /// How many elements of a list a message names.
  private static let maximumNames = 3

  private mutating func warn(of findings: [Finding?], _ comparison: Comparison) {
    let found = findings.compactMap(\.self)
    if let never = found.first(where: { !$0.holds }) {
      return neverVaries("no value of \(never.sentence): this never holds", comparison)
    }
    guard let first = found.first else { return }
    let answer =
      found.allSatisfy(\.cell.isRequired) ? "this always holds" : "this holds unless it is nil"
    neverVaries(
      "every value of \(([first.sentence] + found.dropFirst().map(\.condition)).joined(separator: " and ")): "
        + answer, comparison)
  }

  /// An ordering that has one answer for every value of an attribute's type.
  private struct Finding {
    let holds: Bool
    let cell: Operand
    /// What is said of the values, as in `is at least 40000`.
    let condition: String

    /// - Returns: `nil` if the answer depends on the value, or no constant is compared with an
    ///   attribute.
    init?(_ ordering: Ordering, _ left: Operand, _ right: Operand) {
      if let attribute = left.attribute, let constant = right.constant,
        let holds = attribute.type.answer(ordering, constant)
      {
        (self.holds, cell) = (holds, left)
        condition = "is \(ordering.words) \(right.text)"
      } else if let attribute = right.attribute, let constant = left.constant,
        let holds = attribute.type.answer(ordering.mirrored, constant)
      {
        (self.holds, cell) = (holds, right)
        condition = "is \(ordering.mirrored.words) \(left.text)"
      } else {
        return nil
      }
    }

    var sentence: String { "“\(cell.pathName)” \(condition)" }
  }
}

extension Operand {
  /// The attribute whose cell this is.
  fileprivate var attribute: Attribute? {
    guard case .cell(let path) = node, case .attribute(let leaf) = path.leaf else { return nil }
    return leaf
  }

  /// Whether the cell of an attribute is never nil.
  fileprivate var isRequired: Bool {
    guard case .cell(let path) = node, let attribute else { return false }
    return !attribute.isOptional && path.relationships.isEmpty
  }

  fileprivate var pathName: String {
    guard case .cell(let path) = node else { return text }
    return path.name
  }
}

extension Ordering {
  fileprivate var words: String {
    switch self {
    case .less: "less than"
    case .lessOrEqual: "at most"
    case .greater: "greater than"
    case .greaterOrEqual: "at least"
    case .equal: "equal to"
    case .notEqual: "other than"
    }
  }
}

extension AttributeType {
  /// The least and the greatest number of the type; `nil` if it has any or no number.
  private var limits: (least: Value, greatest: Value)? {
    switch self {
    case .integer16: (.integer(-32_768), .integer(32_767))
    case .integer32: (.integer(-2_147_483_648), .integer(2_147_483_647))
    case .integer64: (.integer(.min), .integer(.max))
    case .boolean: (.integer(0), .integer(1))
    default: nil
    }
  }

  /// Whether a value of the type may be equal to a constant. A constant beside a Float is rounded to
  /// one.
  fileprivate func canEqual(_ constant: Value) -> Bool {
    guard let number = constant.double else { return true }
    if self == .float { return !Float(number).isInfinite || number.isInfinite }
    guard let (least, greatest) = limits else { return true }
    return Value.order(least, constant) <= 0 && Value.order(constant, greatest) <= 0
      && number.rounded() == number
  }

  /// Whether an ordering holds for every value of the type, or for none; `nil` if that depends on the
  /// value. A Float may be infinite, so it has no limits here.
  fileprivate func answer(_ ordering: Ordering, _ constant: Value) -> Bool? {
    guard constant.double != nil, let (least, greatest) = limits else { return nil }
    let (low, high) = (Value.order(least, constant), Value.order(greatest, constant))
    return switch ordering {
    case .less: high < 0 ? true : (low >= 0 ? false : nil)
    case .lessOrEqual: high <= 0 ? true : (low > 0 ? false : nil)
    case .greater: low > 0 ? true : (high <= 0 ? false : nil)
    case .greaterOrEqual: low >= 0 ? true : (high < 0 ? false : nil)
    case .equal, .notEqual: nil
    }
  }

  /// Whether the type has a value between two numbers of which the first is not the greater.
  fileprivate func hasValue(between lower: Value, and upper: Value) -> Bool {
    guard let low = lower.double, let high = upper.double, Value.order(lower, upper) <= 0 else {
      return true
    }
    if self == .float {
      // Beyond the greatest finite Float there is only infinity.
      let isBeyond = !canEqual(lower) && !canEqual(upper)
      return !isBeyond || (low < 0) != (high < 0)
    }
    guard limits != nil else { return true }
    return low.rounded(.up) <= high.rounded(.down)
  }
}
