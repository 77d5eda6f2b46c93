internal import Interleavings
@testable internal import StreamImages

/// A subscriber to images that checks the laws that can be seen from downstream.
final class Listener: Subscriber, @unchecked Sendable {  // fibers share one thread
  typealias Input = EncodedImage
  typealias Failure = ImagePipeline.Error

  private let explorer = Explorer.shared
  private let object = Explorer.shared.newObject()
  private let token = Token()
  private let state = Sample("a subscriber's state")
  private let demand: Subscribers.Demand
  private let answer: Subscribers.Demand

  private var subscription: (any Subscription)?
  private(set) var previews: [Int] = []
  private(set) var results: [EncodedImage] = []
  private(set) var errors: [Failure] = []
  private(set) var completions = 0
  private(set) var isCancelled = false
  private var asked = Subscribers.Demand.none
  private var late = 0
  private var deliverer: Int?
  private var cancellers: Set<Int> = []
  /// What is done inside the first delivery.
  var onFirst: (() -> Void)?

  init(_ demand: Subscribers.Demand = .unlimited, answering answer: Subscribers.Demand = .none) {
    (self.demand, self.answer) = (demand, answer)
  }

  func receive(subscription: any Subscription) {
    explorer.checkNoLockIsHeld("the subscription's arrival")
    if self.subscription != nil { explorer.fail("C01: a second subscription") }
    self.subscription = subscription
    state.write()
    if demand > .none { request(demand) }
  }

  func receive(_ image: EncodedImage) -> Subscribers.Demand {
    begin()
    defer { end() }
    image.read()
    if image.isPreview { previews.append(image.number) } else { results.append(image) }
    if image.isPreview, !results.isEmpty { explorer.fail("X05: a preview after the result") }
    if results.count > 1 { explorer.fail("X05: a second result") }
    if let most = asked.max, previews.count + results.count > most {
      explorer.fail("X04: more than the \(most) that were requested")
    }
    asked += answer
    return answer
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    begin()
    defer { end() }
    completions += 1
    if case .failure(let error) = completion { errors.append(error) }
  }

  private func begin() {
    explorer.checkNoLockIsHeld("a delivery")
    if completions > 0 { explorer.fail("X02: something after the completion") }
    if deliverer != nil { explorer.fail("X01: two deliveries at the same time") }
    if cancellers.contains(explorer.runner) {
      explorer.fail("X03: something after cancel returned, on its thread")
    }
    if isCancelled {
      late += 1
      if late > 1 { explorer.fail("X03: more than what was under way after cancel returned") }
    }
    state.write()
    deliverer = explorer.runner
    explorer.point(object)
    if let onFirst {
      self.onFirst = nil
      onFirst()
    }
  }

  private func end() {
    deliverer = nil
    explorer.touch(object)
  }

  func request(_ demand: Subscribers.Demand) {
    asked += demand
    subscription?.request(demand)
  }

  func cancel() {
    subscription?.cancel()
    isCancelled = true
    cancellers.insert(explorer.runner)
  }

  /// What is wrong at the end, unless it was cancelled: it has one result or one failure, then nothing.
  var complaint: String? {
    if isCancelled { return nil }
    if completions != 1 { return "X06: \(completions) completions" }
    if results.count + errors.count != 1 { return "X05: \(results.count) results, \(errors.count) failures" }
    return nil
  }

  func release() { subscription = nil }
}
