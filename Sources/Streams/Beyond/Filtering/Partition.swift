extension Publisher {
  /// Two publishers: of the values that satisfy `predicate`, and of the others.
  ///
  /// ```
  /// self        -1-2-3-4-|
  /// matches     ---2---4-|      partition { $0 % 2 == 0 }
  /// nonMatches  -1---3---|
  /// ```
  ///
  /// They share one subscription to this publisher. It begins when each of the two has a subscriber, so that one which
  /// sends everything at once is not drained by the first. After that they behave as ``share()`` does: who comes later
  /// gets what comes then, and this publisher is asked for everything once anyone has asked. It is cancelled when the
  /// last subscriber of both has cancelled; then, and after the end, it takes two again.
  ///
  /// - Parameter predicate: Called for each value by each subscriber.
  @_disfavoredOverload
  @inlinable
  public func partition(
    _ predicate: @escaping (Output) -> Bool
  ) -> (matches: AnyPublisher<Output, Failure>, nonMatches: AnyPublisher<Output, Failure>) {
    let gathering = Gathering(self, doors: 2) { PassthroughSubject<Output, Failure>() }
    return (
      Publishers.Filter(upstream: Branch(gathering, 0), isIncluded: predicate).eraseToAnyPublisher(),
      Publishers.Filter(upstream: Branch(gathering, 1)) { !predicate($0) }.eraseToAnyPublisher()
    )
  }
}

/// One door of a gathering.
@usableFromInline
struct Branch<Output, Failure: Error>: Publisher {
  @usableFromInline let gathering: Gathering<PassthroughSubject<Output, Failure>>
  @usableFromInline let door: Int

  @inlinable
  init(_ gathering: Gathering<PassthroughSubject<Output, Failure>>, _ door: Int) {
    self.gathering = gathering
    self.door = door
  }

  @inlinable
  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    gathering.admit(subscriber, door: door)
  }
}
