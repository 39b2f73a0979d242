internal import Dispatch
internal import PassagePlatform
internal import Synchronization

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

  /// Signals that come within this time ask once.
  private static let sameRequest = DispatchTimeInterval.milliseconds(100)

  /// - Parameter stop: called for the first signal, on a separate thread.
  init(stop: @escaping @Sendable () -> Void) {
    // `nohup` starts programs that a closed terminal does not end.
    let numbers = isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    self.numbers = numbers
    let first = FirstSignal()
    // Apart from the signals, so that the next one need not wait for the end of what the first asks for.
    let queue = DispatchQueue(label: "passage.stop")
    let defaults = DispatchQueue(label: "passage.defaults")
    sources = numbers.map { number in
      // The source only receives the signal if its default action, ending the process, is switched
      // off.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(
        signal: number, queue: DispatchQueue(label: "passage.signals"))
      source.setEventHandler {
        guard first.isNow() else { return }
        // Who asks may do it twice: `timeout` sends its signal to the process, and to its group.
        defaults.asyncAfter(deadline: .now() + Self.sameRequest) {
          for number in numbers { signal(number, SIG_DFL) }
        }
        queue.async { stop() }
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

/// Tells the first signal from all others, whichever number and thread they have.
private final class FirstSignal: Sendable {
  private let hasCome = Atomic(false)

  /// Whether this is the first call.
  func isNow() -> Bool { !hasCome.exchange(true, ordering: .relaxed) }
}
