package import PassageDiagnostics

/// The functions that an expression may call by name, besides those that NSExpression predefines.
package struct FunctionLibrary: Sendable {
  /// The functions by the part of the selector before the first colon, in lower case.
  private var functions: [String: [ValueFunction]] = [:]
  /// The functions that were registered, in the order of their registration.
  package private(set) var registered: [ValueFunction] = []
  /// The mistakes in registered functions (`PRE-043`); those functions are left out.
  package private(set) var diagnostics = Diagnostics()

  /// The functions that are part of the language.
  package static let standard = FunctionLibrary(
    standard: dates + numbers + texts + data + choices + json + identifiers)

  private init(standard: [ValueFunction]) {
    for function in standard {
      functions[function.baseName.lowercased(), default: []] += [function]
    }
  }

  /// Creates a library of the functions that are part of the language, and others.
  ///
  /// - Parameter registered: functions of the user's own. A function with the name and number of
  ///   arguments of another one, or with a name that cannot be called, is left out and reported in
  ///   ``diagnostics``.
  package init(registering registered: [ValueFunction]) {
    self = .standard
    for function in registered {
      if let reason = obstacle(to: function) {
        diagnostics.append(
          Diagnostic(
            FunctionCode.registration, "the function “\(function.selector)” cannot be registered",
            reason: reason,
            remedy: "give it a name such as “\(Self.example(function.parameters.count))”"))
        continue
      }
      functions[function.baseName.lowercased(), default: []].append(function)
      self.registered.append(function)
    }
  }

  private static func example(_ count: Int) -> String {
    count == 0 ? "serial" : "combine:" + String(repeating: "with:", count: min(count, 4) - 1)
  }

  private func obstacle(to function: ValueFunction) -> String? {
    let parts = function.selector.split(separator: ":", omittingEmptySubsequences: false)
    let count = function.parameters.count
    let isNamed = parts.allSatisfy { part in
      part.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == 0x5F
      }
    }
    let base = function.baseName
    guard isNamed, let first = base.utf8.first, !(0x30...0x39).contains(first),
      base.utf8.count <= 100
    else {
      return "the name must consist of letters, digits and underscores, with colons between them"
    }
    guard count <= ValueFunction.maximumArguments else {
      return "it takes more than \(ValueFunction.maximumArguments) arguments"
    }
    guard parts.count == count + 1, parts.last?.isEmpty ?? false || count == 0 else {
      return "the name has \(parts.count - 1) colons, but the function takes \(count) arguments"
    }
    if ReservedWords.reserved.contains(base.uppercased())
      || Self.formWords.contains(base.uppercased())
    {
      return "“\(base)” is a word of the language"
    }
    let name = base.lowercased()
    let isTaken = (functions[name] ?? []).contains { $0.takes(count) }
    return isTaken || Self.predefinedCounts[name]?.contains(count) == true
      ? "there is already a function “\(base)” with \(count) arguments" : nil
  }

  /// The numbers of arguments that predefined functions take, by name in lower case.
  private static let predefinedCounts: [String: Set<Int>] = {
    var counts: [String: Set<Int>] = [:]
    for selector in Array(PredefinedFunction.named.keys) + PredefinedFunction.refused.keys {
      let name = selector.prefix { $0 != ":" }.lowercased()
      counts[name, default: []].insert(selector.utf8.count { $0 == UInt8(ascii: ":") })
    }
    return counts
  }()

  private static let formWords: Set<String> = [
    "FUNCTION", "TERNARY", "IF", "LOOKUP", "OBJECTKEY", "OBJECTURI", "RANDOM", "RANDOMN",
    "RANDOMUUID", "SEQUENCENUMBER",
  ]

  /// The function that a call names by its whole selector or by the part before the first colon.
  func function(_ selector: String, count: Int) -> ValueFunction? {
    let base = selector.prefix { $0 != ":" }
    let isWhole = selector.count { $0 == ":" } > 1
    return (functions[base.lowercased()] ?? []).first {
      $0.takes(count) && $0.baseName == base && (!isWhole || $0.selector == selector)
    }
  }

  /// The selectors of the functions with this name, for any number of arguments.
  func selectors(named selector: String) -> [String] {
    (functions[selector.prefix { $0 != ":" }.lowercased()] ?? []).map(\.selector)
  }

  /// Every selector, in alphabetical order.
  package var selectors: [String] { functions.values.joined().map(\.selector).sorted() }

  /// The functions for SQL on one connection.
  var sqlFunctions: [ExpressionFunction] { Self.sqlFunctions(Array(functions.values.joined())) }

  /// The registered functions for SQL. They must be registered on each connection that runs
  /// translated expressions, besides ``ExpressionFunctions/all``.
  package var registeredSQLFunctions: [ExpressionFunction] { Self.sqlFunctions(registered) }

  private static func sqlFunctions(_ functions: [ValueFunction]) -> [ExpressionFunction] {
    functions.filter { $0.native == nil }.map { function in
      ExpressionFunction(
        name: function.sqlName, argumentCount: function.isVariadic ? -1 : function.parameters.count,
        isDeterministic: true, evaluate: function.makeEvaluator())
    }
  }
}
