internal import ArgumentParser
internal import Passage

/// How dates are written into stores without a date type.
enum DateStyle: String, ExpressibleByArgument, CaseIterable {
  /// Text in ISO 8601, in UTC.
  case iso
  /// Seconds since 1970.
  case unix

  var style: StoredObjects.WritingOptions.DateStyle {
    switch self {
    case .iso: .iso
    case .unix: .unix
    }
  }
}
