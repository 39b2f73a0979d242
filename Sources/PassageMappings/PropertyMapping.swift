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
  /// Arbitrary values for a policy.
  package var userInfo: [String: String]

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
