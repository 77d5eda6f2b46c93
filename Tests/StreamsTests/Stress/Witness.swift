import Streams
import Synchronization

/// A subscriber that notices what must never happen: two signals at the same time, and a signal after the end.
///
/// Its values are kept in a plain array, on purpose: serial delivery is all that protects it, and the thread
/// sanitizer sees when that is not enough.
final class Witness<Input: Sendable, Failure: Error>: Subscriber, @unchecked Sendable {
  private let isBusy = Atomic(false)
  private let content = Guarded<(subscription: (any Subscription)?, faults: [String])>((nil, []))
  private let demand: Subscribers.Demand
  private let answer: Subscribers.Demand
  private var plain: (values: [Input], completions: Int) = ([], 0)

  /// Called inside `receive(_:)`. Set it before subscribing.
  var onValue: ((Input) -> Void)?

  init(demand: Subscribers.Demand = .unlimited, answering answer: Subscribers.Demand = .none) {
    self.demand = demand
    self.answer = answer
  }

  /// What was received; to be read when nobody sends any more.
  var values: [Input] { plain.values }
  var completions: Int { plain.completions }
  var faults: [String] { content.withLock { $0.faults } }

  func request(_ demand: Subscribers.Demand) { content.withLock { $0.subscription }?.request(demand) }

  func cancel() { content.withLock { $0.subscription }?.cancel() }

  /// Lets go of the subscription without cancelling it.
  func forget() {
    let gone = content.withLock { $0.subscription.take() }
    withExtendedLifetime(gone) {}
  }

  func receive(subscription: any Subscription) {
    content.withLock { $0.subscription = subscription }
    if demand > .none { subscription.request(demand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    alone("a value") {
      if plain.completions > 0 { note("a value after the completion") }
      plain.values.append(input)
      onValue?(input)
    }
    return answer
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    alone("a completion") {
      plain.completions += 1
      if plain.completions > 1 { note("a second completion") }
    }
  }

  private func alone(_ signal: String, _ body: () -> Void) {
    guard !isBusy.exchange(true, ordering: .relaxed) else { return note("\(signal) during another signal") }
    body()
    isBusy.store(false, ordering: .relaxed)
  }

  private func note(_ fault: String) { content.withLock { $0.faults.append(fault) } }
}
