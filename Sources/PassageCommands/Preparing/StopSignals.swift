internal import Dispatch
internal import PassagePlatform

/// Handles Ctrl-C and SIGTERM: the first signal asks the migration to stop, the second ends the
/// process immediately, which is safe too.
struct StopSignals {
  private let sources: [any DispatchSourceSignal]

  /// - Parameter stop: called once, on a separate thread.
  init(stop: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      // The source only receives the signal if its default action, ending the process, is switched
      // off.
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

  /// Restores the default actions of the signals.
  func stop() {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
