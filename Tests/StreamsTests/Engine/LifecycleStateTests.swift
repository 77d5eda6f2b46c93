import Streams
import Synchronization
import Testing

@Suite("`LifecycleState`")
struct LifecycleStateTests {
  @Test("`LifecycleState` admits callers from the upstream's arrival until it is closed")
  func opens() {
    let lifecycle = LifecycleState()

    let before = lifecycle.enter()
    _ = lifecycle.leave()
    let isAttached = lifecycle.attach()
    let between = lifecycle.enter()
    _ = lifecycle.leave()
    let isEnded = lifecycle.close()
    let after = lifecycle.enter()

    #expect(!before)
    #expect(isAttached)
    #expect(between)
    #expect(isEnded)
    #expect(!after)
  }

  @Test("`LifecycleState` admits early callers unless it is closed")
  func early() {
    let lifecycle = LifecycleState()

    let before = lifecycle.enterEarly()
    _ = lifecycle.leave()
    _ = lifecycle.close()
    let after = lifecycle.enterEarly()

    #expect(before)
    #expect(!after)
  }

  @Test("`LifecycleState` attaches only one upstream")
  func attachesOnce() {
    let lifecycle = LifecycleState()

    let first = lifecycle.attach()
    let second = lifecycle.attach()

    #expect(first)
    #expect(!second)
  }

  @Test("A closed `LifecycleState` attaches no upstream")
  func attachesNever() {
    let lifecycle = LifecycleState()

    _ = lifecycle.close()
    let isAttached = lifecycle.attach()
    let isOpen = lifecycle.isOpen

    #expect(!isAttached)
    #expect(!isOpen)
  }

  @Test("`LifecycleState` closes once")
  func closesOnce() {
    let lifecycle = LifecycleState()

    let first = lifecycle.close()
    let second = lifecycle.close()

    #expect(first)
    #expect(!second)
  }

  @Test("The last caller to leave a closed `LifecycleState` cleans up, once")
  func lastOneOut() {
    let lifecycle = LifecycleState()
    _ = lifecycle.attach()

    _ = lifecycle.enter()
    _ = lifecycle.enter()
    _ = lifecycle.close()
    let first = lifecycle.leave()
    let last = lifecycle.leave()
    _ = lifecycle.enter()
    let latecomer = lifecycle.leave()

    #expect(!first)
    #expect(last)
    #expect(!latecomer)
  }

  @Test("An open `LifecycleState` requests no cleanup")
  func goesOn() {
    let lifecycle = LifecycleState()
    _ = lifecycle.attach()

    _ = lifecycle.enter()
    let isLast = lifecycle.leave()
    let isOpen = lifecycle.isOpen

    #expect(!isLast)
    #expect(isOpen)
  }

  @Test("Exactly one thread cleans up and one closes when threads use `LifecycleState` concurrently")
  func oneLastOneOut() {
    for _ in 0..<200 {
      let hall = Hall()
      let pass: @Sendable () -> Void = { for _ in 0..<5 { hall.pass() } }

      race(
        pass,
        {
          hall.pass()
          hall.close()
        },
        {
          hall.close()
          hall.pass()
        })

      #expect(hall.cleanings == 1)
      #expect(hall.closings == 1)
    }
  }
}

private final class Hall: Sendable {
  private let lifecycle = LifecycleState()
  private let cleaned = Atomic(0)
  private let closed = Atomic(0)

  init() { _ = lifecycle.attach() }

  var cleanings: Int { cleaned.load(ordering: .relaxed) }
  var closings: Int { closed.load(ordering: .relaxed) }

  func pass() {
    _ = lifecycle.enter()
    if lifecycle.leave() { cleaned.wrappingAdd(1, ordering: .relaxed) }
  }

  func close() {
    _ = lifecycle.enter()
    if lifecycle.close() { closed.wrappingAdd(1, ordering: .relaxed) }
    if lifecycle.leave() { cleaned.wrappingAdd(1, ordering: .relaxed) }
  }
}
