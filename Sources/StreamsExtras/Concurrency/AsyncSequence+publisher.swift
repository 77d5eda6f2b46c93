extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// A publisher of the elements of this sequence. It fails with the error that the sequence throws.
  ///
  /// Each subscription iterates anew. A request starts a task, unless one is running. It awaits as many elements as were
  /// requested, and delivers them. So the end is found by the first request that the sequence cannot satisfy. Cancelling
  /// the subscription cancels the task.
  ///
  /// ```swift
  /// let (ticks, clock) = AsyncStream.makeStream(of: Int.self)
  /// let sink = ticks.publisher.sink { print($0) }
  /// ```
  @_disfavoredOverload
  public var publisher: AsyncSequencePublisher<Self> { AsyncSequencePublisher(self) }
}

/// A publisher of the elements of an asynchronous sequence.
public struct AsyncSequencePublisher<Elements: AsyncSequence & Sendable>: Publisher, Sendable
where Elements.Element: Sendable {
  public typealias Output = Elements.Element
  public typealias Failure = Elements.Failure

  /// The sequence that each subscription iterates.
  public let elements: Elements

  /// Creates a publisher of the elements of `elements`.
  public init(_ elements: Elements) { self.elements = elements }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let walk = AsyncWalk(through: elements, to: subscriber)
    subscriber.receive(subscription: walk)
    walk.open()
  }
}
