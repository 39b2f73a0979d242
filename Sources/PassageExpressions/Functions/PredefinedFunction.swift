import PassageValues

/// The supported functions that NSExpression predefines (NSExpression.h), by selector.
///
/// In SQL the operators `+ - * / & | << >>` are SQLite's own. Every other function is the
/// `passage_` function of its ``BuiltInFunction``, because SQLite's differ in the letters they
/// support (`upper`, `lower`), in their errors (`abs`) or are not in every build (`sqrt`, `pow`,
/// `log`).
enum PredefinedFunction {
  case arithmetic(ArithmeticOperator)
  /// Accepts numbers; the type is `nil` if it is that of the operands.
  case numeric(BuiltInFunction, ValueType?)
  /// Accepts texts.
  case text(BuiltInFunction, ValueType)
  /// The fixed current time; a parameter in SQL.
  case now
  /// `noindex:`, which returns its operand; there is no index to avoid.
  case withoutIndex

  var argumentCount: Int {
    switch self {
    case .arithmetic: 2
    case .numeric(let function, _), .text(let function, _): function.argumentCount
    case .now: 0
    case .withoutIndex: 1
    }
  }

  static let named: [String: PredefinedFunction] = [
    "add:to:": .arithmetic(.add), "from:subtract:": .arithmetic(.subtract),
    "multiply:by:": .arithmetic(.multiply), "divide:by:": .arithmetic(.divide),
    "bitwiseAnd:with:": .arithmetic(.bitwiseAnd), "bitwiseOr:with:": .arithmetic(.bitwiseOr),
    "leftshift:by:": .arithmetic(.leftShift), "rightshift:by:": .arithmetic(.rightShift),
    "bitwiseXor:with:": .numeric(.bitwiseXor, .integer),
    "onesComplement:": .numeric(.onesComplement, .integer),
    "negate:": .numeric(.negate, nil), "modulus:by:": .numeric(.modulus, nil),
    "raise:toPower:": .numeric(.power, nil), "abs:": .numeric(.absolute, nil),
    "floor:": .numeric(.floor, nil), "ceiling:": .numeric(.ceiling, nil),
    "trunc:": .numeric(.truncate, nil), "sqrt:": .numeric(.squareRoot, .real),
    "exp:": .numeric(.exponential, .real), "ln:": .numeric(.naturalLogarithm, .real),
    "log:": .numeric(.decimalLogarithm, .real), "uppercase:": .text(.uppercase, .string),
    "lowercase:": .text(.lowercase, .string), "length:": .text(.length, .integer),
    "canonical:": .text(.foldBoth, .string), "now": .now, "noindex:": .withoutIndex,
  ]

  /// Predefined functions of one collection.
  static let ofCollections = [
    "average:", "count:", "max:", "median:", "min:", "mode:", "stddev:", "sum:",
  ]

  /// Predefined functions that are not supported, with the reason.
  static let refused: [String: String] = {
    let collections = ofCollections.map {
      ($0, "functions of collections are not supported yet")
    }
    let others = [
      ("distanceToLocation:fromLocation:", "there are no locations in a store"),
      ("objectFrom:withIndex:", "it takes a collection and a position"),
    ]
    return Dictionary(collections + others, uniquingKeysWith: { first, _ in first })
  }()

  /// Replacements for predefined functions that are not supported.
  static let remedies: [String: String] = [
    "distanceToLocation:fromLocation:":
      "call distanceFromLatitude:longitude:toLatitude:longitude: with four numbers"
  ]

  // MARK: CAST

  /// The classes that `CAST` accepts.
  static let castTypes: [String: ValueType] = [
    "NSNumber": .real, "NSDecimalNumber": .real, "NSString": .string, "NSDate": .date,
    "NSUUID": .uuid, "UUID": .uuid, "NSURL": .uri,
  ]

  enum CastStep {
    /// The stored form is the same.
    case none
    case function(BuiltInFunction)
  }

  /// The conversion of a stored value to another type; `nil` if there is none.
  static func conversion(from: ValueType, to: ValueType) -> CastStep? {
    if from == to || from == .null { return CastStep.none }
    switch (from, to) {
    case (.string, .real): return .function(.numberFromText)
    case (.integer, .real), (.boolean, .real), (.date, .real), (.integer, .date), (.real, .date),
      (.uri, .string), (.string, .uri):
      return CastStep.none
    case (.integer, .string), (.real, .string): return .function(.textFromNumber)
    case (.boolean, .string): return .function(.textFromBoolean)
    case (.date, .string): return .function(.textFromDate)
    case (.uuid, .string): return .function(.textFromUUID)
    case (.string, .date): return .function(.dateFromText)
    case (.string, .uuid): return .function(.uuidFromText)
    default: return nil
    }
  }
}
