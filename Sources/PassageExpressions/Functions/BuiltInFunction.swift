import PassageDiagnostics
import PassageValues

/// The functions for which both lanes run the same code. The raw value is the name in SQL.
enum BuiltInFunction: String, Sendable, CaseIterable {
  // Numbers.
  /// `raise:toPower:` and `**`. Integers give integers if the result fits; SQLite's `pow` gives
  /// only reals.
  case power = "passage_power"
  /// `modulus:by:`, with the sign of the left side. SQLite's `%` would convert reals to integers
  /// first.
  case modulus = "passage_modulus"
  /// `bitwiseXor:with:` and `^`. SQLite has no such operator.
  case bitwiseXor = "passage_bitwise_xor"
  /// `onesComplement:` and `~`. SQLite's `~` would convert text to a number.
  case onesComplement = "passage_ones_complement"
  /// Unary minus. SQLite's would convert text to a number.
  case negate = "passage_negate"
  /// `abs:`. SQLite's `abs` fails on the smallest integer.
  case absolute = "passage_abs"
  /// `floor:`. SQLite's is not in every build.
  case floor = "passage_floor"
  /// `ceiling:`. SQLite's is not in every build.
  case ceiling = "passage_ceiling"
  /// `trunc:`. SQLite's is not in every build.
  case truncate = "passage_trunc"
  /// `sqrt:`; NULL below zero.
  case squareRoot = "passage_sqrt"
  /// `exp:`.
  case exponential = "passage_exp"
  /// `ln:`; NULL for zero and negative numbers.
  case naturalLogarithm = "passage_ln"
  /// `log:`, to the base of ten; NULL for zero and negative numbers.
  case decimalLogarithm = "passage_log"
  // Text.
  /// `uppercase:`, for all of Unicode. SQLite's `upper` only changes ASCII.
  case uppercase = "passage_uppercase"
  /// `lowercase:`, for all of Unicode. SQLite's `lower` only changes ASCII.
  case lowercase = "passage_lowercase"
  /// `length:`, in UTF-16 code units. SQLite's counts scalars up to the first NUL.
  case length = "passage_length"
  /// Folding for both sides of `[c]`.
  case foldCase = "passage_fold_case"
  /// Folding for both sides of `[d]`.
  case foldDiacritics = "passage_fold_diacritics"
  /// Folding for both sides of `[cd]`, and `canonical:`.
  case foldBoth = "passage_fold"
  /// `CONTAINS`, by code units.
  case contains = "passage_contains"
  /// `BEGINSWITH`, by code units. In SQL, a constant prefix becomes a range if possible.
  case beginsWith = "passage_begins_with"
  /// `ENDSWITH`, by code units.
  case endsWith = "passage_ends_with"
  /// `LIKE`, by code points. SQLite's `LIKE` has other wildcards.
  case like = "passage_like"
  /// `CONTAINS` of folded texts, by whole letters.
  case containsLetters = "passage_contains_letters"
  /// `BEGINSWITH` of folded texts, by whole letters.
  case beginsWithLetters = "passage_begins_with_letters"
  /// `ENDSWITH` of folded texts, by whole letters.
  case endsWithLetters = "passage_ends_with_letters"
  /// `LIKE` of folded texts, by whole letters.
  case likeLetters = "passage_like_letters"
  /// `MATCHES`; the third argument is 1 for `[c]`. SQLite has no regular expressions.
  case matches = "passage_matches"
  // Conversions.
  /// `CAST(text, "NSNumber")`.
  case numberFromText = "passage_number_from_text"
  /// `CAST(text, "NSDate")`, from ISO 8601. SQLite's date functions round to milliseconds.
  case dateFromText = "passage_date_from_text"
  /// `CAST(text, "NSUUID")`.
  case uuidFromText = "passage_uuid_from_text"
  /// `CAST(number, "NSString")`.
  case textFromNumber = "passage_text_from_number"
  /// `CAST(number, "NSString")` of a Float attribute: 0.1 is stored as the 64-bit number
  /// 0.10000000149011612.
  case textFromSingle = "passage_text_from_single"
  /// `CAST(flag, "NSString")`.
  case textFromBoolean = "passage_text_from_boolean"
  /// `CAST(date, "NSString")`, as ISO 8601 in UTC.
  case textFromDate = "passage_text_from_date"
  /// `uuid.UUIDString`, in upper case.
  case textFromUUID = "passage_text_from_uuid"
  /// `number.integerValue`: the fraction is cut off.
  case integerFromNumber = "passage_integer_from_number"
  /// A number for an attribute of integers: the fraction is cut off, and a number beyond 64 bits is left as
  /// it is, so that it can be counted.
  case wholeFromNumber = "passage_whole_from_number"
  /// `number.doubleValue`.
  case realFromNumber = "passage_real_from_number"
  /// `number.boolValue`.
  case booleanFromNumber = "passage_boolean_from_number"
  /// `data.length`.
  case byteCount = "passage_byte_count"

  var argumentCount: Int {
    switch self {
    case .power, .modulus, .bitwiseXor, .contains, .beginsWith, .endsWith, .like,
      .containsLetters, .beginsWithLetters, .endsWithLetters, .likeLetters:
      2
    case .matches: 3
    default: 1
    }
  }

  /// Whether it throws for some values.
  var canFail: Bool {
    switch self {
    case .uppercase, .lowercase, .length, .foldCase, .foldDiacritics, .foldBoth, .like,
      .likeLetters,
      .matches,
      .numberFromText, .dateFromText, .uuidFromText:
      true
    default: false
    }
  }

  /// The same function of a number; `nil` when it is not one.
  var ofNumber: NumberFunction? {
    switch self {
    case .absolute: .absolute
    case .floor: .floor
    case .ceiling: .ceiling
    case .truncate: .truncate
    case .squareRoot: .squareRoot
    case .integerFromNumber: .integer
    case .wholeFromNumber: .whole
    case .realFromNumber: .real
    case .booleanFromNumber: .boolean
    default: nil
    }
  }

  /// Computes the result; NULL for operands of the wrong type.
  ///
  /// - Parameter patterns: the regular expressions compiled so far.
  /// - Throws: `PRE-030` for malformed text if characters matter, `PRE-021` and `PRE-031` for
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

  /// The result of a function with one argument; NULL if it has another number of arguments.
  func evaluate(_ value: Value) throws(Diagnostic) -> Value {
    switch self {
    case .onesComplement: Arithmetic.onesComplement(value)
    case .negate: Arithmetic.subtract(.integer(0), value)
    case .absolute: Arithmetic.apply(.absolute, value)
    case .floor: Arithmetic.apply(.floor, value)
    case .ceiling: Arithmetic.apply(.ceiling, value)
    case .truncate: Arithmetic.apply(.truncate, value)
    case .squareRoot: Arithmetic.apply(.squareRoot, value)
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
    case .textFromSingle: Conversions.text(fromSingle: value)
    case .textFromBoolean: Conversions.text(fromBoolean: value)
    case .textFromDate: Conversions.text(fromDate: value)
    case .textFromUUID: Conversions.text(fromUUID: value)
    case .integerFromNumber: Arithmetic.apply(.integer, value)
    case .wholeFromNumber: Arithmetic.apply(.whole, value)
    case .realFromNumber: Arithmetic.apply(.real, value)
    case .booleanFromNumber: Arithmetic.apply(.boolean, value)
    case .byteCount: value.bytes.map { .integer(Int64($0.count)) } ?? .null
    default: .null
    }
  }

  /// The result of a function with two arguments; NULL if it has another number of arguments.
  func evaluate(_ left: Value, _ right: Value) throws(Diagnostic) -> Value {
    switch self {
    case .power: Arithmetic.power(left, right)
    case .modulus: Arithmetic.modulus(left, right)
    case .bitwiseXor: Arithmetic.bitwise(left, right) { $0 ^ $1 }
    case .contains: Value(TextSearch.contains(left, right))
    case .beginsWith: Value(TextSearch.begins(left, with: right))
    case .endsWith: Value(TextSearch.ends(left, with: right))
    case .like: Value(try TextSearch.isLike(left, right))
    case .containsLetters: Value(LetterSearch.contains(left, right))
    case .beginsWithLetters: Value(LetterSearch.begins(left, with: right))
    case .endsWithLetters: Value(LetterSearch.ends(left, with: right))
    case .likeLetters: Value(try TextSearch.isLike(left, right, by: .letters))
    default: .null
    }
  }
}
