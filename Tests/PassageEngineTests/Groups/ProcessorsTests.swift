import PassagePlatform
import Testing

struct ProcessorsTests {
  @Test func `a thread is bound to one processor only for its piece of work`() {
    let usable = Processors.usable
    onThreads(1) { _ in
      let during = usable.running(on: usable.count - 1) { Processors.usable.count }
      #expect(during == min(1, usable.count))
      #expect(Processors.usable.count == usable.count)
    }
  }

  @Test func `a processor that does not exist binds nothing`() {
    let usable = Processors.usable
    onThreads(1) { _ in
      for index in [nil, -1, usable.count] {
        #expect(usable.running(on: index) { Processors.usable.count } == usable.count)
      }
      #expect(Processors(numbers: []).running(on: 0) { Processors.usable.count } == usable.count)
    }
  }
}
