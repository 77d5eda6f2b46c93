import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("`AnyCancellable`", .leavesNothing)
struct AnyCancellableTests {
  @Test("Cancelling an `AnyCancellable` twice runs its closure once")
  func once() {
    let counter = Counter()
    let cancellable = AnyCancellable { counter.increment() }

    cancellable.cancel()
    cancellable.cancel()

    #expect(counter.count == 1)
  }

  @Test("`AnyCancellable` cancels when it is deallocated")
  func goes() {
    let subscription = SubscriptionRecorder()

    do {
      let cancellable = AnyCancellable(subscription)
      #expect(subscription.asks.isEmpty)
      withExtendedLifetime(cancellable) {}
    }

    #expect(subscription.asks == [.cancel])
  }

  @Test("`AnyCancellable` does not cancel again at deallocation")
  func goesAfterCancelling() {
    let subscription = SubscriptionRecorder()

    do {
      let cancellable = AnyCancellable(subscription)
      cancellable.cancel()
    }

    #expect(subscription.asks == [.cancel])
  }

  @Test("`AnyCancellable` releases its closure after cancelling")
  func releases() {
    let lifetimes = Lifetimes()
    let cancellable: AnyCancellable
    do {
      let probe = lifetimes.probe("closure")
      cancellable = AnyCancellable { withExtendedLifetime(probe) {} }
    }
    let before = lifetimes.living

    cancellable.cancel()

    #expect(before == ["closure"])
    #expect(lifetimes.living.isEmpty)
  }

  @Test("Cancelling an `AnyCancellable` again inside its closure has no effect")
  func reentrant() {
    let counter = Counter()
    let box = Guarded<AnyCancellable?>(nil)
    let cancellable = AnyCancellable {
      counter.increment()
      box.withLock { $0 }?.cancel()
    }
    box.withLock { $0 = cancellable }

    cancellable.cancel()
    box.withLock { $0 = nil }

    #expect(counter.count == 1)
  }

  @Test("`AnyCancellable` runs its closure once when several threads cancel it")
  func concurrent() {
    for _ in 0..<200 {
      let counter = Counter()
      let cancellable = AnyCancellable { counter.increment() }
      let cancel: @Sendable () -> Void = { cancellable.cancel() }

      race(cancel, cancel, cancel)

      #expect(counter.count == 1)
    }
  }

  @Test("An `AnyCancellable` is equal only to itself")
  func equality() {
    let (one, another) = (AnyCancellable {}, AnyCancellable {})

    #expect(one == one)
    #expect(one != another)
    #expect(Set([one, another, one]).count == 2)
  }

  @Test("A set and an array store an `AnyCancellable` without wrapping it")
  func stores() {
    let cancellable = AnyCancellable {}
    var set: Set<AnyCancellable> = []
    var list: [AnyCancellable] = []

    cancellable.store(in: &set)
    cancellable.store(in: &set)
    cancellable.store(in: &list)
    cancellable.store(in: &list)

    #expect(set == [cancellable])
    #expect(list == [cancellable, cancellable])
  }

  @Test("Storing any other cancellable keeps it until the collection is emptied")
  func storesAnything() {
    let (first, second) = (SubscriptionRecorder(), SubscriptionRecorder())
    var set: Set<AnyCancellable> = []
    var list: [AnyCancellable] = []

    first.store(in: &set)
    second.store(in: &list)
    let before = first.asks + second.asks
    set = []
    list = []

    #expect(before.isEmpty)
    #expect(first.asks == [.cancel])
    #expect(second.asks == [.cancel])
  }
}

private final class Counter: Sendable {
  private let number = Atomic(0)

  var count: Int { number.load(ordering: .relaxed) }
  func increment() { number.wrappingAdd(1, ordering: .relaxed) }
}
