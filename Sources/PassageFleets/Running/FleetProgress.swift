/// How far a run over many stores has come.
package struct FleetProgress: Sendable, Hashable {
  /// The stores of the run.
  package var stores = 0
  package var bytes: Int64 = 0
  /// Those that are done, failed ones included.
  package var doneStores = 0
  package var doneBytes: Int64 = 0
  package var failed = 0
  /// Of this run, since its beginning.
  package var seconds: Double = 0
  /// Whether the stores that come first are at work.
  package var isCanary = false

  package init() {}

  /// Seconds of work before the rate is used to estimate the remaining time.
  private static let measuredSeconds = 1.0

  /// From 0 to 1: by the bytes of the stores, and where there are none by their number.
  package var fraction: Double {
    if bytes > 0 { return min(1, max(0, Double(doneBytes) / Double(bytes))) }
    return stores == 0 ? 1 : Double(doneStores) / Double(stores)
  }

  package var storesPerSecond: Double { rate(Double(doneStores)) }

  package var bytesPerSecond: Double { rate(Double(doneBytes)) }

  /// An estimate; `nil` at the beginning.
  package var secondsLeft: Double? {
    guard seconds >= Self.measuredSeconds, fraction > 0 else { return nil }
    return seconds / fraction - seconds
  }

  private func rate(_ count: Double) -> Double {
    seconds >= Self.measuredSeconds ? count / seconds : 0
  }
}
