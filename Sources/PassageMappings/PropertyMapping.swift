package import PassageDiagnostics

/// Where one destination property's value comes from: Core Data's `NSPropertyMapping`.
package struct PropertyMapping: Sendable, Hashable {
  package enum Source: Sendable, Hashable {
    /// The source property of the same name: the property is listed with nothing more.
    case sameName
    /// The destination property's default is left as it is: the property is listed as `null`.
    case leftAtDefault
    /// An expression in NSExpression's format.
    case expression(Located<String>)
  }

  /// The destination property.
  package var name: Located<String>
  package var source: Source
  /// An expression used where the value is nil; `nil` leaves it nil.
  package var fallback: Located<String>?
  /// Free values for a policy.
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
