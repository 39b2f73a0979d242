/// A value with the place it was written at. The place is no part of its identity.
public struct Located<Wrapped: Sendable>: Sendable {
  public var value: Wrapped
  public var location: SourceLocation?

  public init(_ value: Wrapped, at location: SourceLocation? = nil) {
    self.value = value
    self.location = location
  }
}

extension Located: Equatable where Wrapped: Equatable {
  public static func == (a: Self, b: Self) -> Bool { a.value == b.value }
}

extension Located: Hashable where Wrapped: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
