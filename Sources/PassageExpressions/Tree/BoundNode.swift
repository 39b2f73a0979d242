import PassageValues

/// A node that computes a value. Every name is resolved, and every constant has its stored form.
indirect enum BoundNode: Sendable {
  case constant(Value)
  case cell(ResolvedKeyPath)
  /// The object's primary key.
  case key
  /// The fixed current time.
  case now
  /// `isReal`: numbers are divided as real numbers, however they are stored.
  case arithmetic(ArithmeticOperator, BoundNode, BoundNode, isReal: Bool)
  case call(BuiltInFunction, [BoundNode])
  case function(ValueFunction, [BoundNode])
  /// The result for a key in a table of objects.
  case lookup(ObjectLookup, BoundNode)
  case conditional(BoundCondition, BoundNode, BoundNode)
  case policy(selector: String, [BoundArgument])
  /// A part of the current element of a collection.
  case element(Int, ElementPart)
  /// The number of elements, counted up to a limit if the rest does not affect the result.
  case count(BoundCollection, limit: Int64?)
  case aggregate(AggregateFunction, BoundCollection)
  /// One element by its position; NULL if it does not exist.
  case item(BoundCollection, ItemPosition)

  var constantValue: Value? {
    if case .constant(let value) = self { value } else { nil }
  }

  var callsPolicy: Bool {
    switch self {
    case .constant, .cell, .key, .now: false
    case .arithmetic(_, let left, let right, _): left.callsPolicy || right.callsPolicy
    case .call(_, let arguments), .function(_, let arguments):
      arguments.contains(where: \.callsPolicy)
    case .lookup(_, let key): key.callsPolicy
    case .conditional(let condition, let then, let otherwise):
      condition.callsPolicy || then.callsPolicy || otherwise.callsPolicy
    case .policy: true
    case .element: false
    case .count(let collection, _), .aggregate(_, let collection): collection.callsPolicy
    case .item(let collection, let position): collection.callsPolicy || position.callsPolicy
    }
  }

  /// Whether the value can be NULL. A column always can be, because a store does not enforce its
  /// model.
  var isNullable: Bool {
    switch self {
    case .constant(let value): value.isNull
    case .key, .now, .count, .element(_, .key): false
    default: true
    }
  }
}

/// An argument of a policy's function.
enum BoundArgument: Sendable {
  case value(BoundNode)
  /// The object itself.
  case object
  /// An object of the engine, by the name of its variable.
  case variable(String)
}

/// A node that computes a Boolean, never NULL, so that each object satisfies either a filter or its
/// negation.
indirect enum BoundCondition: Sendable {
  case truth(Bool)
  case and([BoundCondition])
  case or([BoundCondition])
  case not(BoundCondition)
  /// NULL equals only NULL.
  case equal(BoundNode, BoundNode)
  /// False if either side is NULL.
  case ordered(Ordering, BoundNode, BoundNode)
  /// False if any of the three is NULL.
  case between(BoundNode, BoundNode, BoundNode)
  /// An element equals the value; NULL equals NULL.
  case isIn(BoundNode, [BoundNode])
  /// False unless both sides are texts. Options have become functions around the operands.
  case text(TextOperator, BoundNode, BoundNode)
  /// The collection is not empty.
  case exists(BoundCollection)
  /// True if SQL's `NOT BETWEEN` is true.
  case outside(BoundNode, BoundNode, BoundNode)
  /// True if SQL's `IN` or `NOT IN` is true.
  case member(BoundNode, [BoundNode], isNegated: Bool)
  /// True if both sides are texts and the text does not match.
  case textDiffers(TextOperator, BoundNode, BoundNode)

  var callsPolicy: Bool {
    switch self {
    case .truth: false
    case .and(let parts), .or(let parts): parts.contains(where: \.callsPolicy)
    case .not(let operand): operand.callsPolicy
    case .equal(let a, let b), .ordered(_, let a, let b), .text(_, let a, let b),
      .textDiffers(_, let a, let b):
      a.callsPolicy || b.callsPolicy
    case .between(let a, let b, let c), .outside(let a, let b, let c):
      a.callsPolicy || b.callsPolicy || c.callsPolicy
    case .isIn(let a, let elements), .member(let a, let elements, _):
      a.callsPolicy || elements.contains(where: \.callsPolicy)
    case .exists(let collection): collection.callsPolicy
    }
  }
}

/// The ordering comparisons, spelled as in SQL.
enum Ordering: String, Sendable {
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  /// SQL's equality, which is not true for NULL and NULL.
  case equal = "="
  /// SQL's inequality, which is not true for NULL and a value.
  case notEqual = "<>"

  /// The ordering that is true for two values, neither of them NULL, if this one is false.
  var negation: Ordering {
    switch self {
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    case .equal: .notEqual
    case .notEqual: .equal
    }
  }
}

/// The operators for two texts.
enum TextOperator: Sendable, Hashable {
  case contains(TextUnit)
  case beginsWith(TextUnit)
  case endsWith(TextUnit)
  case like(TextUnit)
  case matches(caseInsensitive: Bool)

  /// The same operator for folded operands, which are compared by whole letters.
  var byLetters: TextOperator {
    switch self {
    case .contains: .contains(.letters)
    case .beginsWith: .beginsWith(.letters)
    case .endsWith: .endsWith(.letters)
    case .like: .like(.letters)
    case .matches: self
    }
  }

  /// The SQL function that implements the operator.
  var function: BuiltInFunction {
    switch self {
    case .contains(.codeUnits): .contains
    case .contains(.letters): .containsLetters
    case .beginsWith(.codeUnits): .beginsWith
    case .beginsWith(.letters): .beginsWithLetters
    case .endsWith(.codeUnits): .endsWith
    case .endsWith(.letters): .endsWithLetters
    case .like(.codeUnits): .like
    case .like(.letters): .likeLetters
    case .matches: .matches
    }
  }
}
