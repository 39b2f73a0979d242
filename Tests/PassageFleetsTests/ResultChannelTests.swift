import Dispatch
import PassageFleets
import Synchronization
import Testing

/// Results that wait for a reader.
struct ResultChannelTests {
  @Test func `a thread waits while the channel is full, and goes on when nobody reads`() async {
    let channel = ResultChannel<Int>(limit: 3)
    let sent = Mutex(0)
    let done = DispatchSemaphore(value: 0)
    DispatchQueue(label: "sender").async {
      for number in 0..<100 {
        channel.send(number)
        sent.withLock { $0 += 1 }
      }
      channel.finish()
      done.signal()
    }
    let reader = channel.reader()
    for number in 0..<20 { #expect(await reader.next() == number) }
    #expect(sent.withLock { $0 } <= 24)
    channel.stopKeeping()
    for number in 20..<100 { #expect(await reader.next() == number) }
    #expect(await reader.next() == nil)
  }

  @Test func `without a reader nothing is kept`() async {
    let channel = ResultChannel<Int>(limit: 3)
    channel.stopKeeping()
    for number in 0..<10 { channel.send(number) }
    channel.finish()
    #expect(await channel.reader().next() == nil)
  }
}
