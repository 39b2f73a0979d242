import PassageDiagnostics
import PassageValues

extension Compiler {
  /// A call of a library function or a registered one.
  func call(
    _ function: ValueFunction, _ arguments: [BoundNode]
  ) throws(Diagnostic) -> Computation {
    let evaluate = function.makeEvaluator()
    var computations: [Computation] = []
    for argument in arguments { computations.append(try computation(argument)) }
    let isMade = arguments.map(\.makesText)
    guard isMade.count(where: { $0 }) > 1 else {
      return { [computations] object, context in
        try evaluate(try computations.map { try $0(object, context) })
      }
    }
    // At each level of the expression, created texts stay in memory while further arguments are
    // computed.
    return { [computations] object, context in
      var values: [Value] = []
      var bytes = 0
      defer { context.frames.waitingBytes -= bytes }
      for (computation, isMade) in zip(computations, isMade) {
        let value = try computation(object, context)
        values.append(value)
        guard isMade, case .text(let text) = value else { continue }
        bytes += text.utf8.count
        context.frames.waitingBytes += text.utf8.count
        guard context.frames.waitingBytes <= TextParts.maximumWaitingBytes else {
          throw TextParts.tooLargeTogether
        }
      }
      return try evaluate(values)
    }
  }
}

extension BoundNode {
  /// Whether the result may be a text longer than the arguments.
  var makesText: Bool {
    switch self {
    case .function(let function, let arguments):
      function.makesLongerTexts || arguments.contains(where: \.makesText)
    case .call(_, let arguments): arguments.contains(where: \.makesText)
    case .conditional(_, let then, let otherwise): then.makesText || otherwise.makesText
    default: false
    }
  }

  /// The largest number of created texts that are in memory at the same time during the
  /// computation.
  var waitingTexts: Int {
    switch self {
    case .function(_, let arguments), .call(_, let arguments):
      var waiting = 0
      var most = 0
      for argument in arguments {
        most = max(most, waiting + argument.waitingTexts)
        if argument.makesText { waiting += 1 }
      }
      return max(most, waiting)
    case .conditional(_, let then, let otherwise):
      return max(then.waitingTexts, otherwise.waitingTexts)
    default: return 0
    }
  }
}

extension ValueFunction {
  /// Whether a result may be longer than all arguments together, or combines all of them.
  fileprivate var makesLongerTexts: Bool {
    !isRegistered
      && [
        "join:", "joinedTexts:in:", "concatenate:", "textFromData:encoding:",
        "replace:occurrencesOf:with:", "replaceMatches:of:with:",
      ].contains(selector)
  }
}
