/// The codes of this module's diagnostics. A number is never reused.
enum ExpressionCode {
  /// The text does not follow the grammar.
  static let syntax = "PRE-001"
  /// The text is too long or too deeply nested.
  static let limit = "PRE-002"
  /// The arguments do not match the placeholders.
  static let arguments = "PRE-003"
  /// The property does not exist.
  static let unknownKeyPath = "PRE-010"
  /// A key path without `$source` where it is required, or the reverse.
  static let wrongSubject = "PRE-011"
  /// A to-many relationship where one value is required.
  static let toManyWithoutAggregate = "PRE-012"
  /// Operands of incompatible types.
  static let wrongType = "PRE-013"
  /// A constant that cannot be converted to the type it is compared with.
  static let unconvertibleConstant = "PRE-014"
  /// A function that is not registered.
  static let unknownFunction = "PRE-015"
  /// A function with the wrong number of arguments.
  static let argumentCount = "PRE-016"
  /// A variable without a value.
  static let unknownVariable = "PRE-017"
  /// A part of the language that is parsed but not supported.
  static let unsupported = "PRE-018"
  /// Warning: the result of a comparison is always the same.
  static let neverVaries = "PRE-019"
  /// Warning: `[l]` has no effect.
  static let localeIgnored = "PRE-020"
  /// A regular expression that does not compile.
  static let badPattern = "PRE-021"
  /// One value where a collection is required.
  static let notACollection = "PRE-023"
  /// Warning: a comparison has another meaning than it seems to have.
  static let otherwiseMeant = "PRE-024"
  /// Run time: a text function met bytes that are not UTF-8.
  static let malformedText = "PRE-030"
  /// Run time: a regular expression took too long.
  static let patternTooSlow = "PRE-031"
  /// Run time: the object has no cell at a position.
  static let missingCell = "PRE-032"
  /// Run time: a registered function was called without a policy.
  static let noPolicy = "PRE-033"
  /// Run time: related objects are needed, but nothing provides them.
  static let noRelatedObjects = "PRE-034"
}
