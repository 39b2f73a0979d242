extension StoredObjects {
  /// How values are written if a type has a choice.
  public struct WritingOptions: Sendable, Hashable {
    /// How dates are written in types that have no date type.
    public enum DateStyle: String, Sendable, Hashable, CaseIterable {
      /// `2010-03-19 00:00:00.000`, in UTC; without the fraction if it is zero.
      case iso
      /// Seconds since 1970-01-01 00:00:00 UTC.
      case unix
    }

    /// How dates are written.
    public var dateStyle: DateStyle

    /// The final path of the file, for types with settings in a file beside it; `nil` if it is
    /// written there directly.
    public var destinationPath: String?

    /// Creates options; dates are text by default.
    public init(dateStyle: DateStyle = .iso, destinationPath: String? = nil) {
      self.dateStyle = dateStyle
      self.destinationPath = destinationPath
    }
  }
}
