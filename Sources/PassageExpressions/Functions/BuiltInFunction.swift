import PassageDiagnostics
import PassageValues

/// The functions that both lanes compute with the same code. The raw value is the name in SQL.
enum BuiltInFunction: String, Sendable, CaseIterable {
  // Numbers.
  case power = "passage_power"
  case modulus = "passage_modulus"
  case bitwiseXor = "passage_bitwise_xor"
  case onesComplement = "passage_ones_complement"
  case negate = "passage_negate"
  case absolute = "passage_abs"
  case floor = "passage_floor"
  case ceiling = "passage_ceiling"
  case truncate = "passage_trunc"
  case squareRoot = "passage_sqrt"
  case exponential = "passage_exp"
  case naturalLogarithm = "passage_ln"
  case decimalLogarithm = "passage_log"
  // Text.
  case uppercase = "passage_uppercase"
  case lowercase = "passage_lowercase"
  case length = "passage_length"
  case foldCase = "passage_fold_case"
  case foldDiacritics = "passage_fold_diacritics"
  case foldBoth = "passage_fold"
  case contains = "passage_contains"
  case beginsWith = "passage_begins_with"
  case endsWith = "passage_ends_with"
  case like = "passage_like"
  case matches = "passage_matches"
  // Conversions.
  case numberFromText = "passage_number_from_text"
  case dateFromText = "passage_date_from_text"
  case uuidFromText = "passage_uuid_from_text"
  case textFromNumber = "passage_text_from_number"
  case textFromBoolean = "passage_text_from_boolean"
  case textFromDate = "passage_text_from_date"
  case textFromUUID = "passage_text_from_uuid"
  case integerFromNumber = "passage_integer_from_number"
  case realFromNumber = "passage_real_from_number"
  case booleanFromNumber = "passage_boolean_from_number"
  case byteCount = "passage_byte_count"

  var argumentCount: Int {
    switch self {
    case .power, .modulus, .bitwiseXor, .contains, .beginsWith, .endsWith, .like: 2
    case .matches: 3
    default: 1
    }
  }

  /// The result; NULL for operands of another kind than the function takes.
  ///
  /// - Parameter patterns: the regular expressions compiled so far.
  /// - Throws: `PRE-030` for malformed text where letters matter, `PRE-021` and `PRE-031` for
  ///   regular expressions.
  func evaluate(_ arguments: [Value], _ patterns: PatternCache) throws(Diagnostic) -> Value {
    guard arguments.count == argumentCount else { return .null }
    switch argumentCount {
    case 1: return try evaluate(arguments[0])
    case 2: return try evaluate(arguments[0], arguments[1])
    default:
      let isCaseInsensitive = arguments[2].bool ?? false
      return Value(
        try patterns.matches(arguments[0], arguments[1], caseInsensitive: isCaseInsensitive))
    }
  }

  /// The result of a function of one argument; NULL when it takes another number.
  func evaluate(_ value: Value) throws(Diagnostic) -> Value {
    switch self {
    case .onesComplement: Arithmetic.onesComplement(value)
    case .negate: Arithmetic.subtract(.integer(0), value)
    case .absolute: Arithmetic.absolute(value)
    case .floor: Arithmetic.rounded(value, .down)
    case .ceiling: Arithmetic.rounded(value, .up)
    case .truncate: Arithmetic.rounded(value, .towardZero)
    case .squareRoot: Arithmetic.squareRoot(value)
    case .exponential: Arithmetic.exponential(value)
    case .naturalLogarithm: Arithmetic.naturalLogarithm(value)
    case .decimalLogarithm: Arithmetic.decimalLogarithm(value)
    case .uppercase: try TextFunctions.map(value) { $0.uppercased() }
    case .lowercase: try TextFunctions.map(value) { $0.lowercased() }
    case .length: try TextFunctions.length(value)
    case .foldCase: try TextFunctions.map(value) { TextFolding.fold($0, [.caseInsensitive]) }
    case .foldDiacritics:
      try TextFunctions.map(value) { TextFolding.fold($0, [.diacriticInsensitive]) }
    case .foldBoth:
      try TextFunctions.map(value) {
        TextFolding.fold($0, [.caseInsensitive, .diacriticInsensitive])
      }
    case .numberFromText: try Conversions.number(fromText: value)
    case .dateFromText: try Conversions.date(fromText: value)
    case .uuidFromText: try Conversions.uuid(fromText: value)
    case .textFromNumber: Conversions.text(fromNumber: value)
    case .textFromBoolean: Conversions.text(fromBoolean: value)
    case .textFromDate: Conversions.text(fromDate: value)
    case .textFromUUID: Conversions.text(fromUUID: value)
    case .integerFromNumber: Conversions.integer(fromNumber: value)
    case .realFromNumber: Conversions.real(fromNumber: value)
    case .booleanFromNumber: value.bool.map { Value($0) } ?? .null
    case .byteCount: value.bytes.map { .integer(Int64($0.count)) } ?? .null
    default: .null
    }
  }

  /// The result of a function of two arguments; NULL when it takes another number.
  func evaluate(_ left: Value, _ right: Value) throws(Diagnostic) -> Value {
    switch self {
    case .power: Arithmetic.power(left, right)
    case .modulus: Arithmetic.modulus(left, right)
    case .bitwiseXor: Arithmetic.bitwise(left, right) { $0 ^ $1 }
    case .contains: Value(TextSearch.contains(left, right))
    case .beginsWith: Value(TextSearch.begins(left, with: right))
    case .endsWith: Value(TextSearch.ends(left, with: right))
    case .like: Value(try TextSearch.isLike(left, right))
    default: .null
    }
  }
}
