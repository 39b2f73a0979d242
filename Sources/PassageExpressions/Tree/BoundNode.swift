import PassageValues

/// What computes a value; every name is a resolved one and every constant has its stored form.
indirect enum BoundNode: Sendable {
  case constant(Value)
  case cell(ResolvedKeyPath)
  /// The object's primary key.
  case key
  /// The frozen present.
  case now
  /// `isReal`: the numbers are divided as real ones whatever their storage.
  case arithmetic(ArithmeticOperator, BoundNode, BoundNode, isReal: Bool)
  case call(BuiltInFunction, [BoundNode])
  case function(ValueFunction, [BoundNode])
  /// The result beside a key in a table of objects.
  case lookup(ObjectLookup, BoundNode)
  case conditional(BoundCondition, BoundNode, BoundNode)
  case policy(selector: String, [BoundArgument])
  /// A part of the element at which a collection is looked at.
  case element(Int, ElementPart)
  /// The number of elements; no more than a limit are counted where nothing depends on the rest.
  case count(BoundCollection, limit: Int64?)
  case aggregate(AggregateFunction, BoundCollection)
  /// One element by its position; NULL when there is none.
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

  /// Whether it can give NULL. A column always can: a store does not enforce its model.
  var isNullable: Bool {
    switch self {
    case .constant(let value): value.isNull
    case .key, .now, .count, .element(_, .key): false
    default: true
    }
  }
}

/// An argument of a registered function.
enum BoundArgument: Sendable {
  case value(BoundNode)
  /// The object itself.
  case object
  /// One of the engine's own objects, by the name of its variable.
  case variable(String)
}

/// What computes a truth value: two-valued, so that a filter and its negation part the objects.
indirect enum BoundCondition: Sendable {
  case truth(Bool)
  case and([BoundCondition])
  case or([BoundCondition])
  case not(BoundCondition)
  /// NULL equals NULL and nothing else.
  case equal(BoundNode, BoundNode)
  /// False when either side is NULL.
  case ordered(Ordering, BoundNode, BoundNode)
  /// False when any of the three is NULL.
  case between(BoundNode, BoundNode, BoundNode)
  /// An element equals the value; NULL equals NULL.
  case isIn(BoundNode, [BoundNode])
  /// False unless both sides are text. Options have become functions around the operands.
  case text(TextOperator, BoundNode, BoundNode)
  /// The collection has an element.
  case exists(BoundCollection)
  /// SQL's `NOT BETWEEN`, where it is true.
  case outside(BoundNode, BoundNode, BoundNode)
  /// SQL's `IN` and `NOT IN`, where they are true.
  case member(BoundNode, [BoundNode], isNegated: Bool)
  /// Both sides are there, and the text does not fit.
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

/// The comparisons by order, spelt as in SQL.
enum Ordering: String, Sendable {
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  /// SQL's equality, which does not hold between NULL and NULL.
  case equal = "="
  /// SQL's inequality, which does not hold between NULL and a value.
  case notEqual = "<>"

  /// What holds between two values, neither of them NULL, when this does not.
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

/// The operators between two texts.
enum TextOperator: Sendable, Hashable {
  case contains(TextUnit)
  case beginsWith(TextUnit)
  case endsWith(TextUnit)
  case like(TextUnit)
  case matches(caseInsensitive: Bool)

  /// The same operator with folded operands, which are compared by whole letters.
  var byLetters: TextOperator {
    switch self {
    case .contains: .contains(.letters)
    case .beginsWith: .beginsWith(.letters)
    case .endsWith: .endsWith(.letters)
    case .like: .like(.letters)
    case .matches: self
    }
  }

  /// The SQL function that carries it out.
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
