import Foundation
import Streams
import StreamsExtras
import StreamsTesting
import Synchronization
import Testing

@Suite("Bounded delivery", .leavesNothing)
struct BoundedDeliveryTests {
  @Test(
    "A call of `send` delivers at most 64 values of other threads, and leaves the rest", arguments: Flood.all)
  fileprivate func bounded(flood: Flood) {
    let last = 500
    let seen = Recorder<Int, Never>()
    let byCaller = Count()
    let caller = Guarded<pthread_t?>(pthread_self())
    let (mine, others, publisher) = flood.build()
    let cancellable = publisher.sink { value in
      _ = seen.receive(value)
      if caller.withLock({ $0 }) == pthread_self() { byCaller.add(1) }
      if value < last { elsewhere { others(value + 1) } }
    }

    mine(0)
    caller.withLock { $0 = nil }
    waitForDeliveries()

    #expect(byCaller.value <= 1 + 64)
    #expect(seen.values == Array(0...last))
    cancellable.cancel()
  }

  @Test("A call of `send` delivers no further values of other threads after a millisecond")
  func slow() {
    let subject = PassthroughSubject<Int, Never>()
    let (caller, seen) = (pthread_self(), Recorder<Int, Never>())
    let byCaller = Count()
    let cancellable = subject.sink { value in
      _ = seen.receive(value)
      let end = DispatchTime.now() + .milliseconds(2)
      while DispatchTime.now() < end {}
      guard caller == pthread_self() else { return }
      byCaller.add(1)
      if value < 100 { elsewhere { subject.send(value + 1) } }
    }

    subject.send(0)
    waitForDeliveries()

    #expect(byCaller.value <= 3)
    #expect(seen.values.count == byCaller.value + 1)
    cancellable.cancel()
  }

  @Test("A call of `send` delivers all values that its own thread sends inside deliveries")
  func nested() {
    let subject = ReplaySubject<Int, Never>(bufferSize: 1)
    let seen = Recorder<Int, Never>()
    let thread = pthread_self()
    let cancellable = subject.sink { value in
      #expect(pthread_self() == thread)
      _ = seen.receive(value)
      if value < 1000 { subject.send(value + 1) }
    }

    subject.send(0)

    #expect(seen.values == Array(0...1000))
    cancellable.cancel()
  }

  @Test("`DrainLoop` delivers handed-over values in the next call if that precedes its helper")
  func adopted() {
    let loop = Loop()

    _ = loop.drainLoop.enterInOrder()
    elsewhere { for number in 0..<100 { loop.perform(number) } }
    loop.leaveWithoutHelp()
    let first = loop.handled.values
    elsewhere { loop.perform(100) }
    let second = loop.handled.values
    loop.resume()

    #expect(2...64 ~= first.count)  // fewer than 64 if that takes longer than a millisecond
    #expect(second.count > first.count)
    #expect(loop.handled.values == Array(0...100))
  }

  @Test(
    "Senders wait while a mailbox is full, so its size stays bounded",
    arguments: Flood.all.filter {
      ["PassthroughSubject", "create", "fromCallback"].contains($0.testDescription)
    })
  fileprivate func backPressure(flood: Flood) {
    let (send, _, publisher) = flood.build()
    let (sent, delivered, most) = (Count(), Count(), Count())
    let cancellable = publisher.sink { _ in
      let end = DispatchTime.now() + .microseconds(20)
      while DispatchTime.now() < end {}
      delivered.add(1)
    }
    let sendAll: @Sendable () -> Void = {
      for _ in 0..<10_000 {
        send(1)
        most.raise(to: sent.add(1) - delivered.value)
      }
    }

    race(sendAll, sendAll)

    #expect(most.value < 4096)
    #expect(delivered.value == 20_000)
    cancellable.cancel()
  }
}

private final class Count: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }

  @discardableResult
  func add(_ more: Int) -> Int { number.wrappingAdd(more, ordering: .relaxed).newValue }
  func raise(to other: Int) { _ = number.max(other, ordering: .relaxed) }
}

/// Something that several threads send to.
private struct Flood: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// What one thread sends with, what others send with, and what comes out.
  let build: @Sendable () -> (@Sendable (Int) -> Void, @Sendable (Int) -> Void, AnyPublisher<Int, Never>)

  static let all: [Flood] = [
    Flood(testDescription: "PassthroughSubject") { one(PassthroughSubject<Int, Never>()) },
    Flood(testDescription: "CurrentValueSubject") { one(CurrentValueSubject<Int, Never>(-1), dropping: 1) },
    Flood(testDescription: "ReplaySubject") { one(ReplaySubject<Int, Never>(bufferSize: 3)) },
    Flood(testDescription: "share") {
      let subject = PassthroughSubject<Int, Never>()
      return ({ subject.send($0) }, { subject.send($0) }, subject.share().eraseToAnyPublisher())
    },
    Flood(testDescription: "buffer") {
      let subject = PassthroughSubject<Int, Never>()
      let buffer = subject.buffer(size: 10, prefetch: .byRequest, whenFull: .dropNewest)
      return ({ subject.send($0) }, { subject.send($0) }, buffer.eraseToAnyPublisher())
    },
    Flood(testDescription: "create") {
      created { register in AnyPublisher.create { subscriber in register { subscriber.send($0) } } }
    },
    Flood(testDescription: "create with a buffer") {
      created { register in
        MorePublishers.Create(bufferSize: 1000) { subscriber in register { subscriber.send($0) } }
          .eraseToAnyPublisher()
      }
    },
    Flood(testDescription: "fromCallback") { created { .fromCallback($0) } },
    two("merge") { $0.merge(with: $1).eraseToAnyPublisher() },
    two("flatMap") { one, other in [one, other].publisher.flatMap { $0 }.eraseToAnyPublisher() },
    two("combineLatest") { one, other in
      one.combineLatest(other.prepend(-1)).map { $1 < 0 ? $0 : $1 }.eraseToAnyPublisher()
    },
    two("combineLatest of a collection") { one, other in
      [one.eraseToAnyPublisher(), other.prepend(-1).eraseToAnyPublisher()].combineLatest()
        .map { $0[1] < 0 ? $0[0] : $0[1] }.eraseToAnyPublisher()
    },
    two("flatMap(maxConcurrent:)") { one, other in
      [one, other].publisher.flatMap(maxConcurrent: 2) { $0 }.eraseToAnyPublisher()
    },
  ]

  private static func one<S: Subject<Int, Never> & Sendable>(
    _ subject: S, dropping count: Int = 0
  ) -> (@Sendable (Int) -> Void, @Sendable (Int) -> Void, AnyPublisher<Int, Never>) {
    ({ subject.send($0) }, { subject.send($0) }, subject.dropFirst(count).eraseToAnyPublisher())
  }

  private typealias Callback = @Sendable (Int) -> Void

  private struct Sender {
    let send: Callback
  }

  private static func created(
    _ make: (@escaping (@escaping Callback) -> any Cancellable) -> AnyPublisher<Int, Never>
  ) -> (@Sendable (Int) -> Void, @Sendable (Int) -> Void, AnyPublisher<Int, Never>) {
    let sender = Guarded(Sender { _ in })
    let publisher = make { new in
      sender.withLock { $0 = Sender(send: new) }
      return AnyCancellable { sender.withLock { $0 = Sender { _ in } } }
    }
    let send: Callback = { value in sender.withLock { $0.send }(value) }
    return (send, send, publisher)
  }

  private typealias Input = PassthroughSubject<Int, Never>

  private static func two(
    _ name: String, _ join: @escaping @Sendable (Input, Input) -> AnyPublisher<Int, Never>
  ) -> Flood {
    Flood(testDescription: name) {
      let (one, other) = (Input(), Input())
      return ({ one.send($0) }, { other.send($0) }, join(one, other))
    }
  }
}

/// A drain loop whose help is slow to come.
private final class Loop: DrainLoopOwner, @unchecked Sendable {  // what varies is the recorder's
  let drainLoop = DrainLoop<Int>()
  let handled = Recorder<Int, Never>()

  func perform(_ number: Int) { drainLoop.perform(number, for: self) }

  func leaveWithoutHelp() {
    drainLoop.isHelpOnItsWay.store(true, ordering: .relaxed)
    drainLoop.drainAndLeave(for: self)
  }

  func resume() { drainLoop.resume(for: self) }

  func cleanUp() {}

  func handle(_ number: Int) { _ = handled.receive(number) }
}
