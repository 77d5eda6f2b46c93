extension Publisher {
  /// Creates two publishers: one of the values that satisfy `predicate`, and one of the others.
  ///
  /// ![Marble diagram of partition](partition.svg)
  ///
  /// They share one subscription to this publisher, which begins when each of the two has a subscriber. Later
  /// subscribers receive later values, as with `share()`. Everything is requested once any subscriber has requested a
  /// value. The subscription is cancelled when the last subscriber of both has cancelled. After that, and after the
  /// end, two new subscribers start again.
  ///
  /// - Parameter predicate: Called for each value by each subscriber.
  @_disfavoredOverload
  @inlinable
  public func partition(
    _ predicate: @escaping (Output) -> Bool
  ) -> (matches: AnyPublisher<Output, Failure>, nonMatches: AnyPublisher<Output, Failure>) {
    let shared = SharedSubject(groups: 2, reconnects: false) { PassthroughSubject<Output, Failure>() }
    return (
      Publishers.Filter(upstream: Branch(self, shared, 0), isIncluded: predicate).eraseToAnyPublisher(),
      Publishers.Filter(upstream: Branch(self, shared, 1)) { !predicate($0) }.eraseToAnyPublisher()
    )
  }
}

/// One of two publishers that share a subscription.
@usableFromInline
struct Branch<Upstream: Publisher>: Publisher {
  @usableFromInline typealias Output = Upstream.Output
  @usableFromInline typealias Failure = Upstream.Failure

  @usableFromInline let upstream: Upstream
  @usableFromInline let shared: SharedSubject<PassthroughSubject<Output, Failure>>
  @usableFromInline let group: Int

  @inlinable
  init(_ upstream: Upstream, _ shared: SharedSubject<PassthroughSubject<Output, Failure>>, _ group: Int) {
    self.upstream = upstream
    self.shared = shared
    self.group = group
  }

  @inlinable
  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    shared.add(subscriber, to: upstream, group: group)
  }
}
