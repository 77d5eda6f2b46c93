import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// Code as it is written with CombineExt and combine-schedulers, with their imports left out: it compiles, with the types
/// that they name.
@Suite("Names of CombineExt and combine-schedulers", .leavesNothing)
struct CombineExtNamesTests {
  private enum Fault: Error { case one }

  @Test("Code written with the names and types of CombineExt compiles")
  func names() {
    let (a, b, c, d) = (
      PassthroughSubject<Int, Fault>(), PassthroughSubject<Int, Fault>(), PassthroughSubject<Int, Fault>(),
      PassthroughSubject<Int, Fault>()
    )
    let never = PassthroughSubject<Int, Never>()

    let _: Publishers.WithLatestFrom<PassthroughSubject<Int, Fault>, PassthroughSubject<Int, Fault>, Int> =
      a.withLatestFrom(b, resultSelector: +)
    let _: AnyPublisher<Int, Fault> = a.withLatestFrom(b).eraseToAnyPublisher()
    let _: AnyPublisher<(Int, Int), Fault> = a.withLatestFrom(b, c).eraseToAnyPublisher()
    let _: AnyPublisher<Int, Fault> = a.withLatestFrom(b, c) { $0 + $1.0 + $1.1 }.eraseToAnyPublisher()
    let _: AnyPublisher<(Int, Int, Int), Fault> = a.withLatestFrom(b, c, d).eraseToAnyPublisher()
    let _: AnyPublisher<Int, Fault> = a.withLatestFrom(b, c, d) { $0 + $1.0 + $1.1 + $1.2 }
      .eraseToAnyPublisher()
    let _: AnyPublisher<Int, Fault> = a.flatMapLatest { _ in b }.eraseToAnyPublisher()
    let _: AnyPublisher<Int, Fault> = a.flatMapFirst { _ in b }.eraseToAnyPublisher()
    let _: AnyPublisher<[Int], Fault> = [a, b].flatMapBatches(of: 2)
    let _: Publishers.Amb<PassthroughSubject<Int, Fault>, PassthroughSubject<Int, Fault>> = a.amb(b)
    let _: AnyPublisher<Int, Fault> = a.amb(with: b, c)
    let _: AnyPublisher<Int, Fault> = a.amb(with: [b, c])
    let _: AnyPublisher<Int, Fault> = [a, b].amb()
    let _: AnyPublisher<[Int], Fault> = [a, b].combineLatest()
    let _: AnyPublisher<[Int], Fault> = a.combineLatest(with: b, c)
    let _: AnyPublisher<[Int], Fault> = a.combineLatest(with: [b, c])
    let _: AnyPublisher<[Int], Fault> = [a, b].zip()
    let _: AnyPublisher<[Int], Fault> = a.zip(with: b, c)
    let _: AnyPublisher<[Int], Fault> = a.zip(with: [b, c])
    let _: AnyPublisher<Int, Fault> = [a, b].merge()
    let _: AnyPublisher<Int, Fault> = a.merge(with: [b, c])
    let _: AnyPublisher<Int, Fault> = AnyPublisher.create { subscriber in
      subscriber.send(1)
      subscriber.send(completion: .finished)
      return AnyCancellable {}
    }
    let _ = AnyPublisher<Int, Fault> { (subscriber: Publishers.Create<Int, Fault>.Subscriber) in
      AnyCancellable {}
    }
    let events: Publishers.Materialize<PassthroughSubject<Int, Fault>> = a.materialize()
    let _: AnyPublisher<Int, Fault> = events.dematerialize().eraseToAnyPublisher()
    let _: AnyPublisher<Int, Never> = events.values().eraseToAnyPublisher()
    let _: AnyPublisher<any Error, Never> = events.failures().map { $0 as any Error }.eraseToAnyPublisher()
    let _: Event<Int, Fault> = .value(1)
    let _: (AnyPublisher<Int, Fault>, AnyPublisher<Int, Fault>) = a.partition { $0 > 1 }
    let _: AnyPublisher<Int, Fault> = a.share(replay: 1).eraseToAnyPublisher()
    let _: AnyPublisher<Int, Fault> = a.prefix(duration: .seconds(1), on: VirtualScheduler.virtual)
    let _: AnyPublisher<Int, Fault> = a.prefix(
      duration: .seconds(1), tolerance: .seconds(1), on: VirtualScheduler.virtual, options: nil)
    let _: AnyPublisher<Int, Fault> = a.prefix(while: { $0 > 1 }, behavior: .inclusive)
    let _: AnyPublisher<Int, Fault> = a.prefix(while: { $0 > 1 }, behavior: .exclusive)
    let _: AnyPublisher<Int, Fault> = a.removeAllDuplicates().eraseToAnyPublisher()
    let _: AnyPublisher<Int, Fault> = a.removeAllDuplicates(by: ==).eraseToAnyPublisher()
    let _: AnyPublisher<Int, Fault> = a.retryWhen { $0.map { _ in } }.eraseToAnyPublisher()
    let _: AnyPublisher<[Int], Fault> = a.nwise(3)
    let _: AnyPublisher<(Int, Int), Fault> = a.pairwise()
    let _: Publishers.Enumerated<PassthroughSubject<Int, Fault>> = a.enumerated(initial: 1)
    let _: Publishers.Enumerated<PassthroughSubject<Int, Fault>> = a.enumerated()
    let _: AnyPublisher<Result<Int, Fault>, Never> = a.mapToResult()
    let _: Publishers.Map<PassthroughSubject<Int, Fault>, String> = a.mapToValue("x")
    let _: Publishers.Map<PassthroughSubject<Int, Fault>, Void> = a.mapToVoid()
    let _: AnyPublisher<[String], Fault> = a.map { [$0] }.mapMany { "\($0)" }.eraseToAnyPublisher()
    let _: AnyPublisher<[Int], Fault> = a.map { [$0] }.filterMany { $0 > 1 }.eraseToAnyPublisher()
    let _: AnyPublisher<Bool, Fault> = a.map { $0 > 1 }.toggle().eraseToAnyPublisher()
    let _: AnyPublisher<String, Fault> = a.ignoreOutput().setOutputType(to: String.self).eraseToAnyPublisher()
    let _: AnyPublisher<String, Fault> = a.ignoreOutput(setOutputType: String.self).eraseToAnyPublisher()
    let _: AnyPublisher<Int, Never> = a.ignoreFailure(completeImmediately: false)
    let _: AnyPublisher<Int, any Error> = a.ignoreFailure(setFailureType: (any Error).self)
    let _: AnyCancellable = never.assign(to: \.value, on: Target(), ownership: .weak)
    let _: AnyCancellable = never.assign(
      to: \.value, on: Target(), and: \.value, on: Target(), ownership: .strong)
    let _: AnyCancellable = never.assign(
      to: \.value, on: Target(), and: \.value, on: Target(), and: \.value, on: Target(), ownership: .unowned)
    let _: any EventConvertible = Event<Int, Fault>.value(1)
    let _: [ObjectOwnership] = [.strong, .weak, .unowned]
    let relays: (some Relay, some Relay) = (CurrentValueRelay(1), PassthroughRelay<Int>())
    let _: AnyCancellable = never.subscribe(CurrentValueRelay(0))
    let _ = ReplaySubject<Int, Fault>(bufferSize: 3)
    let _: Publishers.Timer<VirtualScheduler> = VirtualScheduler.virtual.timerPublisher(every: .seconds(1))
    let _ = VirtualScheduler.virtual.timerPublisher(every: .seconds(1), tolerance: .seconds(1), options: nil)
    let _ = Publishers.Timer(every: .seconds(1), scheduler: VirtualScheduler.virtual)

    #expect(CurrentValueRelay(1).value == 1)
    withExtendedLifetime(relays) {}
  }

  @Test("Code written with the names of combine-schedulers compiles")
  func schedulers() {
    let scheduler: AnySchedulerOf<VirtualScheduler> = VirtualScheduler.virtual.eraseToAnyScheduler()
    let test: TestSchedulerOf<VirtualScheduler> = .virtual

    let _ = scheduler.sleep(until:tolerance:options:)
    test.advance()
    test.advance(by: .seconds(1))
    test.advance(to: test.now)
    test.run()

    #expect(scheduler.measure {} == 0)
    #expect(test.pending == 0)
  }

  private final class Target {
    var value = 0
  }
}
