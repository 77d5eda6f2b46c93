import Dispatch
import Foundation
import NIOPosix
import Streams
import StreamsContext
import StreamsExtras
import StreamsFoundation
import StreamsNIO
import StreamsTesting
import Testing
import Tracing

/// Some context, which each test sets for its subscriber.
enum Visitor {
  @TaskLocal static var name = "nobody"
}

@Suite("Task-local values through a chain")
struct CarryingTests {
  @Test("`carrying` keeps the laws")
  func laws() {
    let report = checkLaws(exempt: [.h28: "it counts no demand: its upstream does"]) {
      $0.carrying(Visitor.$name)
    }

    #expect(report.violations.isEmpty, "\(report)")
    #expect(report.kept.count > 20, "\(report)")
  }

  @Test("A value, a completion, a request and a cancellation have the subscriber's value of the variable")
  func signals() {
    let journal = Journal()
    let subject = PassthroughSubject<Int, Never>()
    let chain =
      subject
      .handleEvents(
        receiveCancel: { journal.note("cancel \(Visitor.name)") },
        receiveRequest: { _ in journal.note("request \(Visitor.name)") }
      )
      .carrying(Visitor.$name)
      .handleEvents(
        receiveSubscription: { _ in journal.note("subscription \(Visitor.name)") },
        receiveOutput: { _ in journal.note("value \(Visitor.name)") },
        receiveCompletion: { _ in journal.note("completion \(Visitor.name)") })

    let (first, second) = Visitor.$name.withValue("ann") { (chain.record(), chain.record(demand: .none)) }
    subject.send(1)
    second.request(.max(1))
    second.cancel()
    subject.send(completion: .finished)

    #expect(first.values == [1])
    #expect(
      journal.lines == [
        "subscription ann", "request ann", "subscription ann", "value ann", "request ann", "cancel ann",
        "completion ann",
      ])
  }

  /// What each operator that changes threads, or sends what another call sent, does to the value.
  struct Crossing: CustomTestStringConvertible, @unchecked Sendable {  // one test calls the closure
    let testDescription: String
    let make: (PassthroughSubject<Int, Never>) -> AnyPublisher<String, Never>

    init<P: Publisher>(_ name: String, _ make: @escaping (PassthroughSubject<Int, Never>) -> P)
    where P.Failure == Never {
      testDescription = name
      // The value of the variable where a signal arrives.
      self.make = { make($0).map { _ in Visitor.name }.eraseToAnyPublisher() }
    }
  }

  static let queue = DispatchQueue(label: "carrying")
  static let loop = MultiThreadedEventLoopGroup.singleton.next().scheduler
  static let tick = DispatchQueue.SchedulerTimeType.Stride.milliseconds(1)

  static let crossings: [Crossing] = [
    Crossing("map, on the thread of the sender") { $0.map { $0 }.carrying(Visitor.$name) },
    Crossing("receive(on:) a dispatch queue") { $0.receive(on: queue).carrying(Visitor.$name) },
    Crossing("receive(on:) an operation queue") { $0.receive(on: OperationQueue()).carrying(Visitor.$name) },
    Crossing("receive(on:) tasks") { $0.receive(on: TaskScheduler()).carrying(Visitor.$name) },
    Crossing("receive(on:) the main actor") { $0.receive(on: MainActor.self).carrying(Visitor.$name) },
    Crossing("receive(on:) an event loop") { $0.receive(on: loop).carrying(Visitor.$name) },
    Crossing("receive(on:) immediately") {
      $0.receive(on: ImmediateScheduler.shared).carrying(Visitor.$name)
    },
    Crossing("subscribe(on:)") {
      $0.prepend(0).carrying(Visitor.$name).subscribe(on: queue).carrying(Visitor.$name)
    },
    Crossing("delay") { $0.delay(for: tick, scheduler: queue).carrying(Visitor.$name) },
    Crossing("debounce") { $0.debounce(for: tick, scheduler: queue).carrying(Visitor.$name) },
    Crossing("throttle") { $0.throttle(for: tick, scheduler: queue, latest: true).carrying(Visitor.$name) },
    Crossing("collect by time") { $0.collect(.byTime(queue, tick)).carrying(Visitor.$name) },
    Crossing("timeout") {
      $0.receive(on: queue).timeout(.seconds(60), scheduler: queue).carrying(Visitor.$name)
    },
    Crossing("flatMap of a future") { subject in
      subject.flatMap { value in Future<Int, Never> { promise in queue.async { promise(.success(value)) } } }
        .carrying(Visitor.$name)
    },
    Crossing("switchToLatest") {
      $0.map { Just($0).receive(on: queue) }.switchToLatest().carrying(Visitor.$name)
    },
    Crossing("asyncMap") { $0.asyncMap { $0 }.carrying(Visitor.$name) },
    Crossing("merge") { $0.merge(with: Just(9).receive(on: queue)).carrying(Visitor.$name) },
    Crossing("combineLatest") { $0.combineLatest(Just(9).receive(on: queue)).carrying(Visitor.$name) },
    Crossing("zip") { $0.zip(Just(9).receive(on: queue)).carrying(Visitor.$name) },
    Crossing("share") { $0.receive(on: queue).share().carrying(Visitor.$name) },
    Crossing("multicast") {
      $0.receive(on: queue).multicast(subject: CurrentValueSubject(0)).autoconnect().dropFirst().carrying(
        Visitor.$name)
    },
    Crossing("buffer") {
      $0.receive(on: queue).buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest).carrying(
        Visitor.$name)
    },
    Crossing("groupBy") { $0.receive(on: queue).groupBy(maxGroups: 4) { $0 }.carrying(Visitor.$name) },
    Crossing("withLatestFrom") {
      $0.receive(on: queue).withLatestFrom(Just(3)).carrying(Visitor.$name)
    },
  ]

  @Test("Below `carrying`, a value has the subscriber's context, whoever sent it", arguments: crossings)
  func crossing(_ crossing: Crossing) async throws {
    let subject = PassthroughSubject<Int, Never>()
    let received = Visitor.$name.withValue("ann") { crossing.make(subject).record() }

    // The sender's context is another one, and it sends until something arrives: `zip` and others wait for a partner.
    Visitor.$name.withValue("bob") { subject.send(1) }
    subject.send(2)
    let names = try await received.next()

    #expect(names == "ann")
    received.cancel()
  }

  @Test("Without `carrying`, a value after a queue has no context, and after a subject that of the sender")
  func without() async throws {
    let subject = PassthroughSubject<Int, Never>()
    let (here, there) = Visitor.$name.withValue("ann") {
      (
        subject.map { _ in Visitor.name }.record(),
        subject.receive(on: Self.queue).map { _ in Visitor.name }.record()
      )
    }

    Visitor.$name.withValue("bob") { subject.send(1) }

    #expect(here.values == ["bob"])
    #expect(try await there.next() == "nobody")
  }

  @Test("Tasks of `Future(operation:)` and of `asyncMap` inherit the context in which they begin")
  func tasks() async throws {
    let future = Visitor.$name.withValue("ann") { Future<String, Never>(operation: { Visitor.name }) }
    let lost = PassthroughSubject<Int, Never>()
    let kept = PassthroughSubject<Int, Never>()
    let (without, with) = Visitor.$name.withValue("ann") {
      (
        lost.receive(on: Self.queue).asyncMap { _ in Visitor.name }.record(),
        kept.receive(on: Self.queue).carrying(Visitor.$name).asyncMap { _ in Visitor.name }.record()
      )
    }
    lost.send(1)
    kept.send(1)

    #expect(await future.value == "ann")
    #expect(try await without.next() == "nobody")
    #expect(try await with.next() == "ann")
  }

  @Test("An iteration over `values` has the context of its own task")
  func values() async {
    let names = await Visitor.$name.withValue("ann") {
      var names: [String] = []
      for await _ in [1, 2].publisher.receive(on: Self.queue).values { names.append(Visitor.name) }
      return names
    }

    #expect(names == ["ann", "ann"])
  }
}
