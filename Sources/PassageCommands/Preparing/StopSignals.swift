internal import Dispatch
internal import PassagePlatform

/// Handles Ctrl-C, SIGTERM and SIGHUP: the first signal asks the migration to stop, the second ends the
/// process immediately, which is safe too.
struct StopSignals {
  private let reading: ReadingStop?
  private let number: Int
  private let sources: SignalSources?

  /// - Parameter stop: called once, on a separate thread.
  init(stop: @escaping @Sendable () -> Void) {
    reading = CommandContext.reading
    number = reading?.add(stop) ?? 0
    sources = reading == nil ? SignalSources(stop: stop) : nil
  }

  /// Leaves the signals to what handled them before.
  func stop() {
    reading?.remove(number)
    sources?.stop()
  }
}

/// The sources of Ctrl-C, SIGTERM and SIGHUP, which comes when the terminal is closed. The library handles a
/// signal once in the life of a process: sources made after others were stopped are never called.
struct SignalSources {
  private let numbers: [Int32]
  private let sources: [any DispatchSourceSignal]

  /// - Parameter stop: called for the first signal, on a separate thread.
  init(stop: @escaping @Sendable () -> Void) {
    // `nohup` starts programs that a closed terminal does not end.
    let numbers = isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    self.numbers = numbers
    sources = numbers.map { number in
      // The source only receives the signal if its default action, ending the process, is switched
      // off.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(
        signal: number, queue: DispatchQueue(label: "passage.signals"))
      source.setEventHandler {
        for number in numbers { signal(number, SIG_DFL) }
        stop()
      }
      source.resume()
      return source
    }
  }

  /// Restores the default actions of the signals.
  func stop() {
    for source in sources { source.cancel() }
    for number in numbers { signal(number, SIG_DFL) }
  }
}
