public import PassageValues

/// A function of the expression language: one registration serves the check of a mapping, the
/// evaluation in memory and SQL.
///
/// ```swift
/// let initials = ValueFunction(
///   "initialsOf:and:", takes: [.string, .string], gives: .string
/// ) { values in
///   .text(values.compactMap { $0.string?.first }.map(String.init).joined())
/// }
/// let manager = MigrationManager(source: v1, destination: v2, functions: [initials])
/// ```
/// A mapping calls it as `initialsOf:and:($source.firstName, $source.lastName)` or, by the part
/// before the first colon, as `initialsOf($source.firstName, $source.lastName)`.
///
/// The function must give the same result for the same arguments, whenever it is called and on
/// whatever thread: a migration that is continued has to end with the same store.
public struct ValueFunction: Sendable {
  /// Computes the result from the arguments, in their order.
  public typealias Body = @Sendable (_ arguments: [Value]) throws -> Value

  /// What an argument may be.
  enum Parameter: Sendable, Hashable {
    case type(ValueType)
    /// A text, or the bytes of one.
    case textOrBinary
  }

  /// The name, in the form of an Objective-C selector: one colon for each argument, none for a
  /// function without arguments.
  public let selector: String
  let parameters: [Parameter]
  /// Whether the last parameter stands for one or more arguments.
  let isVariadic: Bool
  /// The type of the result; `nil`, that of the arguments of the parameter ``resultParameter``.
  let type: ValueType?
  /// Whether the body is called with NULL among the arguments; otherwise the result is NULL.
  let takesNil: Bool
  /// Finds what is wrong with constant arguments; those that are no constants are `nil`.
  let check: (@Sendable ([Value?]) throws -> Void)?
  /// Whether it was registered by a user: its results are checked.
  let isRegistered: Bool
  /// Which state of the function's code this is, as its author counts; `nil` where he does not say.
  ///
  /// An interrupted pass that calls the function continues only with the same revision, and a finished
  /// store says which it was made with. Without a revision the identity of the program stands for it:
  /// every build counts as a change.
  public let revision: String?
  /// SQLite's own function that does the same.
  let native: String?
  /// A body with caches of its own, for one connection or one compiled expression.
  let makeBody: @Sendable () -> Body

  /// Describes a function to be registered.
  ///
  /// - Parameters:
  ///   - selector: the name, with one colon for each argument: `"initialsOf:and:"`. Letters, digits
  ///     and underscores of ASCII; the part before the first colon, with the number of arguments,
  ///     distinguishes functions, whatever the case of its letters.
  ///   - parameters: the type of each argument, at most 100. `.real` takes any number, `.string`
  ///     URIs as well, `.any` anything.
  ///   - type: the type of the result.
  ///   - takesNil: whether the body wants to be called when an argument is nil. Otherwise the result
  ///     is then nil. A cell that holds another kind of value than its attribute's type counts as
  ///     nil.
  ///   - revision: a text that changes whenever the results do: see ``revision``.
  ///   - body: computes the result. Dates are seconds since 2001-01-01 UTC, truth values 0 and 1,
  ///     UUIDs 16 bytes. What it throws ends the migration with the object's key; a result of
  ///     another type than `type` does in the same way, with `PRE-042`.
  public init(
    _ selector: String, takes parameters: [ValueType], gives type: ValueType,
    takesNil: Bool = false, revision: String? = nil, body: @escaping Body
  ) {
    self.init(
      selector, parameters.map { .type($0) }, type, takesNil: takesNil, isRegistered: true,
      revision: revision
    ) { body }
  }

  init(
    _ selector: String, _ parameters: [Parameter], _ type: ValueType?, isVariadic: Bool = false,
    takesNil: Bool = false, isRegistered: Bool = false, revision: String? = nil,
    native: String? = nil,
    check: (@Sendable ([Value?]) throws -> Void)? = nil,
    makeBody: @escaping @Sendable () -> Body
  ) {
    self.selector = selector
    self.parameters = parameters
    self.type = type
    self.isVariadic = isVariadic
    self.takesNil = takesNil
    self.isRegistered = isRegistered
    self.revision = revision
    self.native = native
    self.check = check
    self.makeBody = makeBody
  }

  /// The most arguments of a call: SQLite's own bound is not lower in any build since 3.6
  /// (https://www.sqlite.org/limits.html#max_function_arg).
  static let maximumArguments = 100

  /// The part of the selector before its first colon.
  var baseName: String { String(selector.prefix { $0 != ":" }) }

  /// The name in SQL. SQLite takes no account of case in it.
  var sqlName: String {
    "passage_" + baseName + (isVariadic ? "_n" : "_\(parameters.count)")
  }

  /// Whether it can be called with so many arguments.
  func takes(_ count: Int) -> Bool {
    isVariadic
      ? count >= parameters.count && count <= Self.maximumArguments : count == parameters.count
  }

  /// The parameter that an argument goes to.
  func parameter(_ index: Int) -> Parameter {
    parameters[min(index, parameters.count - 1)]
  }
}
