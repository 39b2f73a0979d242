package import PassageDiagnostics
package import PassageExpressions

extension MappingModel.EntityMapping {
  /// What objects have in common that become one. A string literal is the expression alone.
  public struct Merge: Sendable, Hashable, ExpressibleByStringLiteral {
    /// Which of the objects that become one gives its key and its values.
    public enum Kept: String, Sendable, Hashable, CaseIterable {
      /// The one with the smallest key.
      case first
      /// The one with the largest key.
      case last
    }

    /// An expression in NSExpression's format. Objects for which it gives equal values become one;
    /// one for which it gives nil stays by itself.
    package var value: Located<String>
    package var kept: Kept

    /// - Parameters:
    ///   - value: an expression in NSExpression's format. Objects for which it gives equal values
    ///     become one; one for which it gives nil stays by itself.
    ///   - kept: which of them gives its key and its values.
    public init(_ value: String, keep kept: Kept = .first) {
      self.value = Located(value)
      self.kept = kept
    }

    /// Creates the rule that keeps the first of the objects.
    public init(stringLiteral value: String) { self.init(value) }
  }

  /// An object that an `add` mapping makes.
  package struct AddedObject: Sendable, Hashable {
    /// The values of attributes, by name, in the order in which they are written. All others have
    /// their default values.
    package var values: [(name: Located<String>, value: PredicateArgument)]
    /// Why attributes cannot have the values that code gives them, by name. A file has no such values.
    package var obstacles: [String: String] = [:]

    package init(values: [(name: Located<String>, value: PredicateArgument)]) {
      self.values = values
    }

    package static func == (a: Self, b: Self) -> Bool {
      a.values.elementsEqual(b.values) { $0.name == $1.name && $0.value == $1.value }
        && a.obstacles == b.obstacles
    }

    package func hash(into hasher: inout Hasher) {
      for (name, value) in values {
        hasher.combine(name)
        hasher.combine(value)
      }
    }
  }
}

extension MappingModel {
  /// How the values of the source objects that become one object combine. Values that are nil do not
  /// count.
  public enum Combination: String, Sendable, Hashable, CaseIterable {
    /// The value of the object with the smallest key.
    case first
    /// The value of the object with the largest key.
    case last
    /// The smallest value.
    case min
    /// The largest value.
    case max
    /// The sum of the values.
    case sum
    /// The average of the values.
    case average
    /// The number of the objects.
    case count
  }

  /// A value by which related objects are sorted. A string literal is an expression; smaller values
  /// come first.
  public struct SortKey: Sendable, Hashable, ExpressibleByStringLiteral {
    /// An expression over the related source object, `$element`.
    package var value: Located<String>
    package var isAscending: Bool

    /// - Parameters:
    ///   - value: an expression over the related source object, `$element`.
    ///   - isAscending: whether smaller values come first.
    public init(_ value: String, isAscending: Bool = true) {
      self.value = Located(value)
      self.isAscending = isAscending
    }

    /// Creates a value of which smaller ones come first.
    public init(stringLiteral value: String) { self.init(value) }
  }
}

extension PropertyMapping {
  package typealias Combination = MappingModel.Combination
  package typealias SortKey = MappingModel.SortKey

  /// The largest number of values by which related objects are sorted.
  package static let maximumSortKeys = 4
}
