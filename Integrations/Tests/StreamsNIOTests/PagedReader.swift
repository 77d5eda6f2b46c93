import NIOConcurrencyHelpers
import NIOCore
import Streams

/// Expects the numbers from zero. When it has a page of them, it requests the next one in another turn of an event loop.
final class PagedReader: Subscriber, @unchecked Sendable {  // a lock guards the state
  struct Account: Sendable {
    var received = 0
    var isInOrder = true
    var mostOnTheirWay = 0
  }

  let account: EventLoopFuture<Account>

  private struct State {
    var account = Account()
    var subscription: (any Subscription)?
  }

  private let state = NIOLockedValueBox(State())
  private let pageSize: Int
  private let sent: NIOLockedValueBox<Int>
  private let promise: EventLoopPromise<Account>

  /// - Parameter sent: How many numbers were sent so far.
  init(pageSize: Int, sent: NIOLockedValueBox<Int>, on eventLoop: any EventLoop) {
    (self.pageSize, self.sent) = (pageSize, sent)
    promise = eventLoop.makePromise()
    account = promise.futureResult
  }

  func receive(subscription: any Subscription) {
    state.withLockedValue { $0.subscription = subscription }
  }

  func requestPage() { state.withLockedValue { $0.subscription }?.request(.max(pageSize)) }

  func receive(_ number: Int) -> Subscribers.Demand {
    let sent = sent.withLockedValue { $0 }
    let isLastOfPage = state.withLockedValue { state in
      if number != state.account.received { state.account.isInOrder = false }
      state.account.received += 1
      state.account.mostOnTheirWay = max(state.account.mostOnTheirWay, sent - state.account.received)
      return state.account.received % pageSize == 0
    }
    if isLastOfPage {
      account.eventLoop.execute { self.requestPage() }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<any Error>) {
    let account = state.withLockedValue { state in
      state.subscription = nil
      return state.account
    }
    switch completion {
    case .finished: promise.succeed(account)
    case .failure(let error): promise.fail(error)
    }
  }
}
