internal import Dispatch
internal import PassagePlatform

/// Ctrl-C and SIGTERM: the first asks the migration to stop, the second ends the process at once,
/// which is safe too.
struct StopSignals {
  private let sources: [any DispatchSourceSignal]

  /// - Parameter stop: called once, on a thread of its own.
  init(stop: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      // The source sees the signal only where the process does not die of it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(
        signal: number, queue: DispatchQueue(label: "passage.signals"))
      source.setEventHandler {
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        stop()
      }
      source.resume()
      return source
    }
  }

  /// Leaves the signals to the system again.
  func stop() {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
