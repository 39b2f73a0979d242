/// The codes of this module's diagnostics. A number is never reused.
enum ExpressionCode {
  /// The text does not follow the grammar.
  static let syntax = "PRE-001"
  /// The text is too long or too deeply nested.
  static let limit = "PRE-002"
  /// The arguments do not fit the placeholders.
  static let arguments = "PRE-003"
  /// No such property.
  static let unknownKeyPath = "PRE-010"
  /// A bare key path where `$source` is the subject, or the other way round.
  static let wrongSubject = "PRE-011"
  /// A to-many relationship where one value is needed.
  static let toManyWithoutAggregate = "PRE-012"
  /// Operands whose types do not go together.
  static let wrongType = "PRE-013"
  /// A constant that has no form in the type it meets.
  static let unconvertibleConstant = "PRE-014"
  /// A function that is not registered.
  static let unknownFunction = "PRE-015"
  /// A function with the wrong number of arguments.
  static let argumentCount = "PRE-016"
  /// A variable without a value.
  static let unknownVariable = "PRE-017"
  /// Part of the language that is parsed and not carried out.
  static let unsupported = "PRE-018"
  /// Warning: a comparison with one possible answer.
  static let neverVaries = "PRE-019"
  /// Warning: `[l]` has no effect.
  static let localeIgnored = "PRE-020"
  /// A regular expression that does not compile.
  static let badPattern = "PRE-021"
  /// One value where a collection is needed.
  static let notACollection = "PRE-023"
  /// Warning: a comparison that means something else than it seems to.
  static let otherwiseMeant = "PRE-024"
  /// Run time: a text function met bytes that are not UTF-8.
  static let malformedText = "PRE-030"
  /// Run time: a regular expression took too long.
  static let patternTooSlow = "PRE-031"
  /// Run time: the object has no cell at a position.
  static let missingCell = "PRE-032"
  /// Run time: a registered function was called where none can be.
  static let noPolicy = "PRE-033"
  /// Run time: related objects are needed and nothing reads them.
  static let noRelatedObjects = "PRE-034"
}
