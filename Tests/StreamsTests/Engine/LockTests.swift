import Streams
import Testing

@Suite("`Lock` and `Guarded`")
struct LockTests {
  @Test("`Lock` excludes other threads while its body runs")
  func excludes() {
    let counter = Counter()

    race(
      { for _ in 0..<5000 { counter.increment() } },
      { for _ in 0..<5000 { counter.increment() } },
      { for _ in 0..<5000 { counter.increment() } })

    #expect(counter.count == 15_000)
  }

  @Test("`Guarded.withLock` returns the result of its body, and rethrows its error")
  func answers() {
    struct Refusal: Error {}
    let guarded = Guarded(1)

    let answer = guarded.withLock { value in
      value += 1
      return value
    }
    #expect(throws: Refusal.self) { try guarded.withLock { _ throws(Refusal) in throw Refusal() } }
    let after = guarded.withLock { $0 }

    #expect(answer == 2)
    #expect(after == 2)
  }

  @Test("`Guarded` releases its value when it is deallocated")
  func releases() {
    weak var value: AnyObject?
    do {
      let object = Counter()
      value = object
      let guarded = Guarded(object)
      guarded.withLock { $0.increment() }
    }

    #expect(value == nil)
  }
}

private final class Counter: @unchecked Sendable {  // the lock that is under test makes it so
  private let lock = Lock()
  private(set) var count = 0

  func increment() { lock.withLock { count += 1 } }
}
