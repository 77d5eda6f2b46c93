import Streams
import Synchronization
import Testing

@Suite("Turnstile")
struct TurnstileTests {
  @Test("is open from the arrival of the upstream to the end")
  func opens() {
    let turnstile = Turnstile()

    let before = turnstile.enter()
    _ = turnstile.leave()
    let isAttached = turnstile.attach()
    let between = turnstile.enter()
    _ = turnstile.leave()
    let isEnded = turnstile.close()
    let after = turnstile.enter()

    #expect(!before)
    #expect(isAttached)
    #expect(between)
    #expect(isEnded)
    #expect(!after)
  }

  @Test("is open early, if the stream is not over")
  func early() {
    let turnstile = Turnstile()

    let before = turnstile.enterEarly()
    _ = turnstile.leave()
    _ = turnstile.close()
    let after = turnstile.enterEarly()

    #expect(before)
    #expect(!after)
  }

  @Test("has room for one upstream")
  func attachesOnce() {
    let turnstile = Turnstile()

    let first = turnstile.attach()
    let second = turnstile.attach()

    #expect(first)
    #expect(!second)
  }

  @Test("has no room for an upstream after the end")
  func attachesNever() {
    let turnstile = Turnstile()

    _ = turnstile.close()
    let isAttached = turnstile.attach()
    let isOpen = turnstile.isOpen

    #expect(!isAttached)
    #expect(!isOpen)
  }

  @Test("ends once")
  func closesOnce() {
    let turnstile = Turnstile()

    let first = turnstile.close()
    let second = turnstile.close()

    #expect(first)
    #expect(!second)
  }

  @Test("has the last one out put things away, once")
  func lastOneOut() {
    let turnstile = Turnstile()
    _ = turnstile.attach()

    _ = turnstile.enter()
    _ = turnstile.enter()
    _ = turnstile.close()
    let first = turnstile.leave()
    let last = turnstile.leave()
    _ = turnstile.enter()
    let latecomer = turnstile.leave()

    #expect(!first)
    #expect(last)
    #expect(!latecomer)
  }

  @Test("puts nothing away while the stream goes on")
  func goesOn() {
    let turnstile = Turnstile()
    _ = turnstile.attach()

    _ = turnstile.enter()
    let isLast = turnstile.leave()
    let isOpen = turnstile.isOpen

    #expect(!isLast)
    #expect(isOpen)
  }

  @Test("has one last one out, whoever closes and whoever passes")
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
  private let turnstile = Turnstile()
  private let cleaned = Atomic(0)
  private let closed = Atomic(0)

  init() { _ = turnstile.attach() }

  var cleanings: Int { cleaned.load(ordering: .relaxed) }
  var closings: Int { closed.load(ordering: .relaxed) }

  func pass() {
    _ = turnstile.enter()
    if turnstile.leave() { cleaned.wrappingAdd(1, ordering: .relaxed) }
  }

  func close() {
    _ = turnstile.enter()
    if turnstile.close() { closed.wrappingAdd(1, ordering: .relaxed) }
    if turnstile.leave() { cleaned.wrappingAdd(1, ordering: .relaxed) }
  }
}
