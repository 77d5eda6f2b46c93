import CThreads  // a `timespec` may be this module's, if another file imports it
import Foundation
import Streams
import StreamsExtras
import StreamsTesting
import TestSupport
import Testing

/// Processor time of this thread, so that a busy machine does not matter, for a few values and for many.
@Suite(
  "Complexity",
  .enabled(if: !isSanitized, "a sanitizer takes time of its own, and much of it"))
struct ComplexityTests {
  static let few = 1 << 10
  static let many = 1 << 16

  /// A queue that moves its rest at each value comes to more than twice as much; what is constant, to one or two.
  static let most = 4.0

  @Test("The time for a value does not grow with queued values or subscribers", arguments: Burden.all)
  func constant(_ burden: Burden) {
    let growth = Self.growth(burden)

    #expect(growth < Self.most, "\(Self.many) cost \(growth) times as much each as \(Self.few)")
  }

  @Test("The complexity measurement detects a time for a value that grows with the queue")
  func linear() {
    let shifting = Burden("an array as a queue") { count in
      var queue = Array(0..<count)
      while !queue.isEmpty { queue.removeFirst() }
    }

    #expect(Self.growth(shifting) > Self.most)
  }

  /// How many times as much one of many costs as one of few.
  private static func growth(_ burden: Burden) -> Double {
    let small = (0..<5).map { _ in time { burden.work(few) } }.min()! / Double(few)
    var growth = Double.infinity
    // Once more if it seems too much: something else may have come between.
    for _ in 0..<3 where growth > most {
      growth = min(growth, time { burden.work(many) } / Double(many) / small)
    }
    return growth
  }

  private static func time(_ work: () -> Void) -> Double {
    let start = now()
    work()
    return now() - start
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Something done with so many values, or subscribers.
struct Burden: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let work: @Sendable (Int) -> Void

  init(_ name: String, work: @escaping @Sendable (Int) -> Void) {
    testDescription = name
    self.work = work
  }

  static let all = [
    Burden("zip, one side ahead of the other") { count in
      let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let sink = left.zip(right).sink { _ in }
      for number in 0..<count { left.send(number) }
      for number in 0..<count { right.send(number) }
      sink.cancel()
    },
    Burden("buffer, filled and then drained") { count in
      let subject = PassthroughSubject<Int, Never>()
      let taker = Taker()
      subject.buffer(size: count, prefetch: .byRequest, whenFull: .dropOldest).subscribe(taker)
      for number in 0..<count { subject.send(number) }
      for _ in 0..<count { taker.take() }
    },
    Burden("buffer that drops its oldest") { count in
      let subject = PassthroughSubject<Int, Never>()
      let taker = Taker()
      subject.buffer(size: count / 2, prefetch: .byRequest, whenFull: .dropOldest).subscribe(taker)
      for number in 0..<count { subject.send(number) }
      taker.cancel()
    },
    Burden("merge of many") { count in
      let subjects = (0..<count).map { _ in PassthroughSubject<Int, Never>() }
      let sink = Publishers.MergeMany(subjects).sink { _ in }
      for subject in subjects { subject.send(1) }
      for subject in subjects { subject.send(completion: .finished) }
      sink.cancel()
    },
    Burden("merge of many, one value of each waiting") { count in
      let taker = Taker()
      Publishers.MergeMany((0..<count).map { Just($0) }).subscribe(taker)
      for _ in 0..<count { taker.take() }
    },
    Burden("combineLatest of many, one value of each") { count in
      let subjects = (0..<count).map { CurrentValueSubject<Int, Never>($0) }
      let sink = subjects.combineLatest().sink { _ in }
      for subject in subjects { subject.send(1) }
      sink.cancel()
    },
    Burden("flatMap with many children at a time") { count in
      let children = (0..<count).map { _ in PassthroughSubject<Int, Never>() }
      let sink = (0..<count).publisher.flatMap { children[$0] }.sink { _ in }
      for child in children { child.send(1) }
      for child in children { child.send(completion: .finished) }
      sink.cancel()
    },
    Burden("flatMap with one child after another") { count in
      (0..<count).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }.sink { _ in }.cancel()
    },
    Burden("switchToLatest") { count in
      (0..<count).publisher.map { Just($0) }.switchToLatest().sink { _ in }.cancel()
    },
    Burden("receive(on:) behind a scheduler that lags") { count in
      let scheduler = VirtualScheduler.virtual
      let sink = (0..<count).publisher.receive(on: scheduler).sink { _ in }
      scheduler.advance()
      sink.cancel()
    },
    Burden("a subject whose subscribers leave, the oldest first") { count in
      let subject = PassthroughSubject<Int, Never>()
      let sinks = (0..<count).map { _ in subject.sink { _ in } }
      subject.send(1)
      for sink in sinks { sink.cancel() }
    },
    Burden("a subject whose subscribers leave, the newest first") { count in
      let subject = CurrentValueSubject<Int, Never>(0)
      let sinks = (0..<count).map { _ in subject.sink { _ in } }
      for sink in sinks.reversed() { sink.cancel() }
    },
    Burden("a subject whose subscribers leave inside a value") { count in
      let subject = PassthroughSubject<Int, Never>()
      var sinks = (0..<count).map { _ in subject.sink { _ in } }
      sinks.append(subject.sink { _ in for sink in sinks { sink.cancel() } })
      subject.send(1)
      subject.send(completion: .finished)
    },
    Burden("a subject whose upstreams leave, the oldest first") { count in
      let subject = PassthroughSubject<Int, Never>()
      let sources = (0..<count).map { _ in PassthroughSubject<Int, Never>() }
      let feeds = sources.map { $0.subscribe(subject) }
      for feed in feeds { feed.cancel() }
    },
    Burden("a subject whose upstreams finish, the oldest first") { count in
      let subject = ReplaySubject<Int, Never>(bufferSize: 1)
      let sources = (0..<count).map { _ in PassthroughSubject<Int, Never>() }
      let feeds = sources.map { $0.subscribe(subject) }
      for source in sources { source.send(completion: .finished) }
      withExtendedLifetime(feeds) {}
    },
    Burden("a subject that replays, joined and left") { count in
      let subject = ReplaySubject<Int, Never>(bufferSize: 1)
      let sinks = (0..<count).map { _ in subject.sink { _ in } }
      for sink in sinks { sink.cancel() }
    },
    Burden("share(replay:), joined and left") { count in
      let shared = PassthroughSubject<Int, Never>().share(replay: 1)
      let sinks = (0..<count).map { _ in shared.sink { _ in } }
      for sink in sinks { sink.cancel() }
    },
    Burden("refCount, joined and left") { count in
      let shared = PassthroughSubject<Int, Never>().multicast { PassthroughSubject() }.refCount()
      let sinks = (0..<count).map { _ in shared.sink { _ in } }
      for sink in sinks { sink.cancel() }
    },
    Burden("@Published, joined and left") { count in
      let model = Model()
      let sinks = (0..<count).map { _ in model.$number.sink { _ in } }
      for sink in sinks { sink.cancel() }
    },
    Burden("a future, joined and left") { count in
      let future = Future<Int, Never> { _ in }
      let sinks = (0..<count).map { _ in future.sink { _ in } }
      for sink in sinks { sink.cancel() }
    },
    Burden("groupBy that makes room for each value, with many groups") { count in
      let sink = (0..<2 * count).publisher.groupBy(maxGroups: count) { $0 }.sink { _ in }
      sink.cancel()
    },
    Burden("groupBy whose groups are used in turns") { count in
      let sink = (0..<4 * count).publisher.groupBy(maxGroups: count) { $0 % count }.sink { _ in }
      sink.cancel()
    },
    Burden("collect") { count in
      AnyPublisher((0..<count).publisher).collect().sink { _ in }.cancel()
    },
    Burden("collect(_:)") { count in
      AnyPublisher((0..<count).publisher).collect(count).sink { _ in }.cancel()
    },
    Burden("collect(until:)") { count in
      AnyPublisher((0..<count).publisher).collect(until: { $0 == count - 1 }).sink { _ in }.cancel()
    },
    Burden("dropLast") { count in
      AnyPublisher((0..<count).publisher).dropLast(count / 2).sink { _ in }.cancel()
    },
    Burden("suffix") { count in
      AnyPublisher((0..<count).publisher).suffix(count / 2).sink { _ in }.cancel()
    },
    Burden("removeAllDuplicates") { count in
      AnyPublisher((0..<count).publisher).removeAllDuplicates().sink { _ in }.cancel()
    },
    Burden("a subject that replays all") { count in
      let subject = ReplaySubject<Int, Never>(bufferSize: count)
      for number in 0..<count { subject.send(number) }
      subject.sink { _ in }.cancel()
    },
    Burden("share, joined and left") { count in
      let shared = PassthroughSubject<Int, Never>().share()
      let sinks = (0..<count).map { _ in shared.sink { _ in } }
      for sink in sinks { sink.cancel() }
    },
  ]
}

private final class Model: ObservableObject {
  @Published var number = 0
}

/// Asks for one value at a time, without keeping any.
private final class Taker: Subscriber {
  private var subscription: (any Subscription)?

  func receive(subscription: any Subscription) { self.subscription = subscription }
  func receive(_: Int) -> Subscribers.Demand { .none }
  func receive(completion _: Subscribers.Completion<Never>) {}

  func take() { subscription?.request(.max(1)) }
  func cancel() { subscription?.cancel() }
}
