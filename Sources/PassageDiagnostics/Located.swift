/// A value with the location at which it is written. The location does not affect equality.
package struct Located<Wrapped: Sendable>: Sendable {
  package var value: Wrapped
  package var location: SourceLocation?

  package init(_ value: Wrapped, at location: SourceLocation? = nil) {
    self.value = value
    self.location = location
  }
}

extension Located: Equatable where Wrapped: Equatable {
  package static func == (a: Self, b: Self) -> Bool { a.value == b.value }
}

extension Located: Hashable where Wrapped: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
