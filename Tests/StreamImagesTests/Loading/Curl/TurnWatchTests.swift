import Dispatch
import StreamImages
import Testing

/// A turn that does not end is looked at; ticks come when the test wants them.
@Suite struct TurnWatchTests {
  private final class Ticks: Sendable {
    private let waiting = Shared([@Sendable () -> Void]())
    let looks = Shared([Bool]())

    var watch: TurnWatch { TurnWatch { [waiting] tick in waiting.change { $0.append(tick) } } }

    /// Whether there was one, and only one.
    func tick() -> Bool {
      let ticks = waiting.value
      waiting.change { $0 = [] }
      for tick in ticks { tick() }
      return ticks.count == 1
    }

    func look(_ isFirst: Bool) { looks.change { $0.append(isFirst) } }
  }

  private let ticks = Ticks()

  @Test("A turn is looked at from its second tick on, and the first look is told from the others")
  func looks() throws {
    let watch = ticks.watch

    try watch.turn(ticks.look) {
      #expect(ticks.tick())
      #expect(ticks.looks.value == [])
      for _ in 0..<3 { #expect(ticks.tick()) }
    }

    #expect(ticks.looks.value == [true, false, false])
  }

  @Test("Ticks stop when no turn runs, and begin with the next turn")
  func idle() throws {
    let watch = ticks.watch
    #expect(!ticks.tick())
    for _ in 0..<2 {
      try watch.turn(ticks.look) {}
      #expect(ticks.tick())
      #expect(ticks.tick())
      #expect(!ticks.tick())
    }
    try watch.turn(ticks.look) { for _ in 0..<2 { #expect(ticks.tick()) } }

    #expect(ticks.tick())
    #expect(!ticks.tick())
    #expect(ticks.looks.value == [true])
  }

  @Test("Turns that end between ticks are not looked at, and each long one has a first look")
  func turns() throws {
    let watch = ticks.watch
    for _ in 0..<5 {
      try watch.turn(ticks.look) {}
      try watch.turn(ticks.look) { #expect(ticks.tick()) }
    }
    #expect(ticks.looks.value == [])

    for _ in 0..<2 { try watch.turn(ticks.look) { for _ in 0..<3 { #expect(ticks.tick()) } } }
    #expect(ticks.looks.value == [true, false, true, false])
  }

  @Test("A turn is looked at after two ticks of a quarter of a second", .inRealTime)
  func realTime() throws {
    let (seen, looks) = (DispatchSemaphore(value: 0), Shared([Bool]()))
    let clock = ContinuousClock()
    let watch = TurnWatch()

    let time = try clock.measure {
      try watch.turn { isFirst in
        looks.change { $0.append(isFirst) }
        seen.signal()
      } _: {
        seen.wait()
      }
    }

    #expect(time >= .milliseconds(500))
    #expect(looks.value.first == true)
  }
}
