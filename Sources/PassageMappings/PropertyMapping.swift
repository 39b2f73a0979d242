package import PassageDiagnostics

/// The source of one destination property's value: Core Data's `NSPropertyMapping`.
package struct PropertyMapping: Sendable, Hashable {
  package enum Source: Sendable, Hashable {
    /// The source property of the same name: the property is listed as `{}`.
    case sameName
    /// The destination property keeps its default value: the property is listed as `null`.
    case leftAtDefault
    /// An expression in NSExpression's format.
    case expression(Located<String>)
  }

  /// The destination property.
  package var name: Located<String>
  package var source: Source
  /// An expression that is used if the value is nil; `nil` if the value stays nil.
  package var fallback: Located<String>?
  /// How the values of objects that become one combine; `nil` for the value of the one that is kept.
  package var combination: Combination?
  /// By what the related objects of an ordered relationship are sorted, the first before the others;
  /// empty for the order of the source.
  package var sortKeys: [SortKey] = []
  /// Arbitrary values for a policy.
  package var userInfo: [String: String]
  /// Why the value is only a proposal of a draft; `nil` if it is not. A marked property is refused
  /// when a migration is planned.
  package var draft: Located<String>?

  package init(
    name: String, source: Source = .sameName, fallback: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = Located(name)
    self.source = source
    self.fallback = fallback.map { Located($0) }
    self.userInfo = userInfo
  }

  /// A property with a value expression.
  package init(name: String, expression: String) {
    self.init(name: name, source: .expression(Located(expression)))
  }
}
