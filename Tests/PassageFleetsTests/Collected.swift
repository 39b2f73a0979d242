import PassageFleets
import Synchronization

/// Results that several threads hand over.
final class Collected: Sendable {
  private let results = Mutex<[FleetResult]>([])

  func append(_ result: FleetResult) { results.withLock { $0.append(result) } }

  var all: [FleetResult] { results.withLock { $0 } }
}
