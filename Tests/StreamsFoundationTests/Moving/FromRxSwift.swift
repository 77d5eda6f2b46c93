import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The right-hand column of `Docs/moving/from-rxswift.md`, as it must compile.
private struct FromRxSwift: Materials {
  func expressions() {
    _ = numbers.eraseToAnyPublisher()
    _ = Just(1)
    _ = [1, 2].publisher
    _ = Empty<Int, Problem>()
    _ = Empty<Int, Problem>(completeImmediately: false)
    _ = Fail<Int, Problem>(error: Problem())
    _ = AnyPublisher<Int, Problem>.create { _ in AnyCancellable {} }
    _ = Deferred { numbers }
    _ = Publishers.range(0..<10)
    _ = Publishers.unfold(0) { (state: inout Int) -> Int? in state }
    _ = Publishers.repeating(1)
    _ = scheduler.timerPublisher(every: .seconds(1)).autoconnect()
    _ = scheduler.timerPublisher(after: .seconds(1))
    _ = MorePublishers.Using(resource: open, publisher: { _ in numbers }, release: { _ in })
    _ = PassthroughSubject<Int, Problem>()
    _ = CurrentValueSubject<Int, Problem>(0)
    _ = ReplaySubject<Int, Problem>(bufferSize: 3)
    _ = PassthroughRelay<Int>()
    _ = CurrentValueRelay(0)
    _ = ReplayRelay<Int>(bufferSize: 3)
    _ = never.sink { _ in }
    never.sink { _ in }.store(in: bag)
    _ = SerialCancellable()
    _ = never.subscribe(relay)
    _ = numbers.handleEvents(receiveOutput: { _ in }, receiveCompletion: { _ in })
    _ = numbers.onTerminate {}
    _ = numbers.receive(on: scheduler)
    _ = numbers.subscribe(on: scheduler)
    _ = numbers.flatMapLatest { _ in others }
    _ = numbers.flatMapFirst { _ in others }
    _ = numbers.concatMap { _ in others }
    _ = numbers.flatMap(maxConcurrent: 2) { _ in others }
    _ = [numbers, others].concat()
    _ = [numbers, others].merge()
    _ = [numbers, others].combineLatest()
    _ = [numbers, others].zip()
    _ = [numbers, others].amb()
    _ = numbers.withLatestFrom(others)
    _ = numbers.sample(others)
    _ = numbers.startWith(1)
    _ = numbers.switchIfEmpty(to: others)
    _ = numbers.removeDuplicates()
    _ = numbers.removeDuplicates(at: \.magnitude)
    _ = numbers.prefix(3).dropFirst(3)
    _ = numbers.prefix(untilOutputFrom: others).drop(untilOutputFrom: others)
    _ = numbers.prefix(while: { $0 < 3 }, behavior: .inclusive)
    _ = numbers.prefix(duration: .seconds(1), on: scheduler)
    _ = numbers.takeLast(3)
    _ = numbers.output(at: 3)
    _ = numbers.collect(.byTimeOrCount(scheduler, .seconds(1), 3))
    _ = numbers.window(count: 3)
    let ticks = scheduler.timerPublisher(every: .seconds(1)).autoconnect().setFailureType(to: Problem.self)
    _ = numbers.window(by: ticks)
    _ = numbers.groupBy(maxGroups: 100) { $0 % 3 }
    _ = numbers.scan(into: 0) { $0 += $1 }
    _ = numbers.enumerated()
    _ = numbers.collect()
    _ = numbers.debounce(for: .seconds(1), scheduler: scheduler, flushesOnCompletion: true)
    _ = numbers.throttle(for: .seconds(1), scheduler: scheduler, latest: true)
    _ = numbers.timeout(.seconds(1), scheduler: scheduler, other: others)
    _ = numbers.retry(2)
    _ = numbers.retryWhen { $0.map { _ in } }
    _ = numbers.catchAndReturn(0)
    _ = numbers.catch([others])
    _ = numbers.materialize().dematerialize()
    _ = numbers.share(replay: 1, scope: .whileConnected)
    _ = numbers.withUnretained(target)
    _ = numbers.debug()
    _ = {
      try numbers.blocking().toArray()
    }
    _ = SubscriptionCounter()
    _ = numbers.delay(for: .seconds(1), scheduler: VirtualScheduler.virtual)
  }
}
