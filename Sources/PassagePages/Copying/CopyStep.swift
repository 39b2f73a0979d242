internal import PassageValues

/// One cell of a ``CopyProgram``, prepared for the loop over the rows: plain bytes, so that no
/// reference is counted for a row.
struct CopyStep {
  enum Code: UInt8 {
    /// Columns that are the same in every row.
    case literal
    case copy
    case taken
    case key
    case shifted
    case shiftedByEntity
    case entityNumber
    case entityNumberByEntity
    case keyBeside
    case copyBeside
    case found
    case foundEntityNumber
    case keyBesideFound
    case copyBesideFound
    case arithmetic
    case set
  }

  var code: Code
  /// The column of the source, and another one.
  var column: Int
  var other = 0
  /// The column of the destination.
  var target: Int
  /// What that column makes of values.
  var affinity: Affinity
  /// The stored types that can be copied as they are: bits 0 to 9 by type code, 12 for blobs, 13
  /// for texts.
  var unchanged: UInt16
  /// The stored types that are taken.
  var taken: StoredTypes = []
  /// An offset, or an entity number.
  var number: Int64 = 0
  /// The keys that are moved.
  var keys = CopyProgram.KeyBounds.all
  /// Where its parts begin in a list of operations, entities or parts of links, and how many they
  /// are. The parts of a literal are the bytes of its type codes.
  var first = 0
  var count = 0
  /// Where the bytes of a literal's values begin, and how many they are.
  var firstByte = 0
  var byteCount = 0
  /// Whether each step of its calculation continues with the last number.
  var isChain = false
  /// Where its calculation begins in a list of ``PlainStep``; -1 when it needs more.
  var firstPlain = -1
  /// A calculation of one step that is frequent on real numbers: the column, or -1; what it does, which
  /// is to add, to multiply or to divide; and the constant.
  var realColumn = -1
  var realCode = PlainStep.Code.none
  var realConstant: Double = 0
  /// Whether a set of the objects that there are follows the parts of its links.
  var knowsExisting = false
  /// The run of its links; -1 when they are looked up in parts.
  var run = -1
  /// Where links that dangle are counted.
  var dangling = 0
  /// Where the watched columns begin, and how many they are.
  var firstWatched = 0
  var watchedCount = 0

  /// The stored types that a destination column takes over from a source column as they are. Real
  /// numbers are looked at one by one.
  static func unchangedTypes(from source: Affinity, to destination: Affinity) -> UInt16 {
    var types: UInt16 = 1 | 1 << 12
    if destination == .text || destination == .blob { types |= 1 << 13 }
    let integers: UInt16 = 0b11_0011_1110
    // A whole number in a column of reals is a real number, and with eight bytes it stays one.
    if source == .real {
      if destination == .real { types |= integers }
    } else {
      switch destination {
      case .numeric, .blob: types |= integers | 1 << 6
      case .real: types |= integers
      case .text: break
      }
    }
    return types
  }
}

/// One step of a calculation, with the most frequent sequences fused.
struct NumberStep {
  enum Code: UInt8 {
    case column
    case constant
    case key
    /// An operator on the two last numbers.
    case apply
    /// An operator on a column and a constant.
    case columnAndConstant
    /// An operator on a constant and a column.
    case constantAndColumn
    /// An operator on the last number and a constant.
    case lastAndConstant
    case function
  }

  var code: Code
  var operation = ArithmeticOperator.add
  var function = NumberFunction.real
  var isReal = false
  var column = 0
  var constant = Number.null

  /// Prepares a calculation.
  ///
  /// - Returns: the steps and the depth of their stack; `nil` when the operations do not leave
  ///   exactly one number.
  static func steps(
    _ operations: [CopyProgram.Operation]
  ) -> (steps: [NumberStep], depth: Int)? {
    var steps: [NumberStep] = []
    var (depth, deepest) = (0, 0)
    for operation in operations {
      switch operation {
      case .column(let column): steps.append(NumberStep(code: .column, column: column))
      case .constant(let number): steps.append(NumberStep(code: .constant, constant: number))
      case .key: steps.append(NumberStep(code: .key))
      case .apply(let operation, let isReal):
        guard depth >= 2 else { return nil }
        depth -= 1
        fuse(&steps, operation, isReal)
        continue
      case .function(let function):
        guard depth >= 1 else { return nil }
        steps.append(NumberStep(code: .function, function: function))
        continue
      }
      depth += 1
      deepest = max(deepest, depth)
    }
    return depth == 1 ? (steps, deepest) : nil
  }

  /// Whether each step continues with the last number.
  static func isChain(_ steps: [NumberStep]) -> Bool {
    steps.dropFirst().allSatisfy { $0.code == .lastAndConstant || $0.code == .function }
  }

  private static func fuse(
    _ steps: inout [NumberStep], _ operation: ArithmeticOperator, _ isReal: Bool
  ) {
    let codes = steps.suffix(2).map(\.code)
    let (left, right) = (steps[steps.count - 2], steps[steps.count - 1])
    var fused = NumberStep(code: .apply, operation: operation, isReal: isReal)
    if codes == [.column, .constant] || codes == [.constant, .column] {
      fused.code = codes[0] == .column ? .columnAndConstant : .constantAndColumn
      fused.column = codes[0] == .column ? left.column : right.column
      fused.constant = codes[0] == .column ? right.constant : left.constant
      steps.removeLast(2)
    } else if codes[1] == .constant {
      fused.code = .lastAndConstant
      fused.constant = right.constant
      steps.removeLast()
    }
    steps.append(fused)
  }
}
