import Foundation
import Synchronization

/// Runs a body on so many threads of their own, and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let running = DispatchGroup()
  for number in 0..<count {
    running.enter()
    Thread {
      body(number)
      running.leave()
    }.start()
  }
  running.wait()
}

/// Lets threads go on when so many have come.
final class MeetingPoint: Sendable {
  private let missing: Mutex<Int>
  private let opens = DispatchSemaphore(value: 0)

  init(_ count: Int) { missing = Mutex(count) }

  func meet() {
    let isLast = missing.withLock { missing in
      missing -= 1
      return missing == 0
    }
    if !isLast { opens.wait() }
    opens.signal()
  }
}
