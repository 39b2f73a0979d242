public import PassageValues

/// A function of the expression language. One registration is enough for the check of a mapping,
/// the evaluation in memory and SQL.
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
/// The function must always return the same result for the same arguments, on any thread, because a
/// continued migration must end with the same store.
public struct ValueFunction: Sendable {
  /// Computes the result from the arguments, in their order.
  public typealias Body = @Sendable (_ arguments: [Value]) throws -> Value

  /// The type of an argument.
  enum Parameter: Sendable, Hashable {
    case type(ValueType)
    /// A text, or the bytes of a text.
    case textOrBinary
  }

  /// The name as an Objective-C selector: one colon for each argument, no colon for a function
  /// without arguments.
  public let selector: String
  let parameters: [Parameter]
  /// Whether the last parameter accepts one or more arguments.
  let isVariadic: Bool
  /// The type of the result; `nil` if it is the type of the arguments for ``resultParameter``.
  let type: ValueType?
  /// Whether the body is called if an argument is NULL. Otherwise the result is then NULL.
  let takesNil: Bool
  /// Checks constant arguments; those that are not constant are `nil`.
  let check: (@Sendable ([Value?]) throws -> Void)?
  /// Whether a user registered it, so that its results are checked.
  let isRegistered: Bool
  /// The revision of the function's code, chosen by its author; `nil` if there is none.
  ///
  /// An interrupted pass that calls the function continues only with the same revision, and a
  /// finished store records the revision. Without a revision, the identity of the program is used,
  /// so that every build counts as a change.
  public let revision: String?
  /// SQLite's own function with the same result.
  let native: String?
  /// Creates a body with separate caches, for one connection or one compiled expression.
  let makeBody: @Sendable () -> Body

  /// Creates a function to be registered.
  ///
  /// - Parameters:
  ///   - selector: the name, with one colon for each argument: `"initialsOf:and:"`. ASCII letters,
  ///     digits and underscores. Functions are distinguished by the part before the first colon,
  ///     ignoring case, and by the number of arguments.
  ///   - parameters: the type of each argument, at most 100. `.real` accepts any number, `.string`
  ///     also URIs, `.any` anything.
  ///   - type: the type of the result.
  ///   - takesNil: whether the body is called if an argument is nil. Otherwise the result is then
  ///     nil. A cell that holds another type of value than its attribute counts as nil.
  ///   - revision: a text that changes whenever the results do: see ``revision``.
  ///   - body: computes the result. Dates are seconds since 2001-01-01 UTC, Booleans 0 and 1, UUIDs
  ///     16 bytes. An error ends the migration, and names the object's key. So does a result of
  ///     another type than `type`, with `PRE-042`.
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

  /// The largest number of arguments of a call. SQLite's own limit is not lower in any build since
  /// 3.6 (https://www.sqlite.org/limits.html#max_function_arg).
  static let maximumArguments = 100

  /// The part of the selector before its first colon.
  var baseName: String { String(selector.prefix { $0 != ":" }) }

  /// The name in SQL, in which SQLite ignores case.
  var sqlName: String {
    "passage_" + baseName + (isVariadic ? "_n" : "_\(parameters.count)")
  }

  /// Whether it can be called with this number of arguments.
  func takes(_ count: Int) -> Bool {
    isVariadic
      ? count >= parameters.count && count <= Self.maximumArguments : count == parameters.count
  }

  /// The parameter for an argument.
  func parameter(_ index: Int) -> Parameter {
    parameters[min(index, parameters.count - 1)]
  }
}
