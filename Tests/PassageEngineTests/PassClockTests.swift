import Testing

@testable import PassageEngine

/// How long each pass ran, by what the progress says.
struct PassClockTests {
  /// What the progress says at a second.
  private struct Moment {
    var second: Int
    var step = 1
    var pass = ""
    var phase = MigrationProgress.Phase.create
  }

  private static func clock(_ moments: [Moment]) -> PassClock {
    let start = ContinuousClock.now
    var clock = PassClock()
    for moment in moments {
      var progress = MigrationProgress()
      progress.phase = moment.phase
      progress.step = moment.step
      progress.passName = moment.pass
      clock.note(progress, at: start + .seconds(moment.second))
    }
    return clock
  }

  @Test func `a pass runs until the next one begins or the step is assembled`() {
    let clock = Self.clock([
      Moment(second: 0, phase: .prepare), Moment(second: 1, pass: "One"),
      Moment(second: 2, pass: "One", phase: .relate), Moment(second: 4, pass: "Two"),
      Moment(second: 9, phase: .assemble), Moment(second: 20, step: 2, pass: "One"),
      Moment(second: 21, step: 2, phase: .seal),
    ])
    #expect(clock.seconds(ofStep: 1) == ["One": 3, "Two": 5])
    #expect(clock.seconds(ofStep: 2) == ["One": 1])
    #expect(clock.seconds(ofStep: 3) == [:])
  }

  @Test func `a pass that begins again counts all of its time`() {
    let clock = Self.clock([
      Moment(second: 0, pass: "One"), Moment(second: 2, phase: .assemble),
      Moment(second: 5, pass: "One"), Moment(second: 6, phase: .assemble),
    ])
    #expect(clock.seconds(ofStep: 1) == ["One": 3])
  }
}
