internal import ArgumentParser
internal import Passage

/// How dates are written into stores that have no dates of their own.
enum DateStyle: String, ExpressibleByArgument, CaseIterable {
  /// Text of ISO 8601 in UTC.
  case iso
  /// Seconds since 1970.
  case unix

  var style: StoreWritingOptions.DateStyle {
    switch self {
    case .iso: .iso
    case .unix: .unix
    }
  }
}
