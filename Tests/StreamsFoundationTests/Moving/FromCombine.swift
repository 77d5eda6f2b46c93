import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The right-hand column of `Docs/moving/from-combine.md`, as it must compile.
private struct FromCombine: Materials {
  func wait(on scheduler: some Streams.Scheduler) {}

  func expressions() {
    _ = numbers.receive(on: MainActor.self)
    _ = scheduler.timerPublisher(every: .seconds(1))
    never.sink { _ in }.store(in: bag)
    _ = never.assign(to: \.value, on: target, ownership: .weak)
    _ = never.values(buffering: .unbounded)
    _ = numbers.concatMap { _ in others }
    _ = numbers.flatMapLatest { _ in others }
    _ = MorePublishers.AsyncCall<Int, Problem> { 1 }
    _ = numbers.share(replay: 1)
    _ = numbers.debug("numbers")
    _ = numbers.retry(3, delay: .seconds(1), scheduler: scheduler)
  }
}
