import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The right-hand column of `Docs/moving/from-reactiveswift.md`, as it must compile.
private struct FromReactiveSwift: Materials {
  func expressions() {
    _ = AnyPublisher<Int, Problem>.create { _ in AnyCancellable {} }
    _ = Just(1)
    _ = [1, 2].publisher
    _ = Fail<Int, Problem>(error: Problem())
    _ = Empty<Int, Problem>(completeImmediately: false)
    _ = scheduler.timerPublisher(every: .seconds(1)).autoconnect()
    _ = PassthroughSubject<Int, Problem>()
    _ = MutableProperty(0)
    _ = Property(initial: 0, then: never)
    _ = property.publisher
    _ = property.changes
    property.modify { $0 += 1 }
    _ = flag.and(flag.negate())
    _ = never.sink { _ in }
    _ = CancelBag()
    _ = SerialCancellable()
    _ = Lifetime.Token()
    _ = numbers.take(during: token.lifetime)
    _ = numbers.receive(on: scheduler)
    _ = numbers.subscribe(on: scheduler)
    _ = numbers.flatMapLatest { _ in others }
    _ = numbers.concatMap { _ in others }
    _ = numbers.flatMap(maxConcurrent: 2) { _ in others }
    _ = numbers.flatMap { _ in others }
    _ = [numbers, others].amb()
    _ = numbers.withLatestFrom(others) { ($0, $1) }
    _ = others.withLatestFrom(numbers) { ($1, $0) }
    _ = others.withLatestFrom(numbers)
    _ = numbers.pairwise()
    _ = numbers.removeDuplicates()
    _ = numbers.removeAllDuplicates()
    _ = numbers.prefix(3).dropFirst(3)
    _ = numbers.suffix(3)
    _ = numbers.prefix(untilOutputFrom: others).drop(untilOutputFrom: others)
    _ = numbers.collect(.byTime(scheduler, .seconds(1)))
    _ = numbers.repeat(3)
    _ = numbers.retry(3, delay: .seconds(1), scheduler: scheduler)
    _ = numbers.catch { _ in others }
    _ = numbers.tryMap { $0 }
    _ = numbers.timeout(.seconds(1), scheduler: scheduler, customError: { Problem() })
    _ = numbers.share(replay: 1)
    _ = numbers.materialize()
    _ = numbers.debug()
    _ = numbers.onTerminate {}
  }
}
