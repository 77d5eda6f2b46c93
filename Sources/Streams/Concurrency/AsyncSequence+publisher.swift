extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// The elements of this sequence as a publisher, which fails with what the sequence throws.
  ///
  /// Each subscription is an iteration of its own. It begins with the first request; then as many elements are
  /// awaited as are asked for, so the end is noticed with the first request that it leaves unanswered. Values are
  /// delivered by a task. Cancelling the subscription cancels that task.
  ///
  /// ```swift
  /// let (ticks, clock) = AsyncStream.makeStream(of: Int.self)
  /// let sink = ticks.publisher.sink { print($0) }
  /// ```
  @_disfavoredOverload
  public var publisher: AsyncSequencePublisher<Self> { AsyncSequencePublisher(self) }
}

/// The elements of an asynchronous sequence as a publisher.
public struct AsyncSequencePublisher<Elements: AsyncSequence & Sendable>: Publisher, Sendable
where Elements.Element: Sendable {
  public typealias Output = Elements.Element
  public typealias Failure = Elements.Failure

  /// What is published.
  public let elements: Elements

  /// The elements of `elements`.
  public init(_ elements: Elements) { self.elements = elements }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    subscriber.receive(subscription: AsyncWalk(through: elements, to: subscriber))
  }
}
