extension Sequence {
  /// A publisher that sends the elements of this sequence and finishes.
  ///
  /// ```swift
  /// let cancellable = ["a", "b"].publisher.sink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0) })
  /// // Prints a, b, finished
  /// ```
  @inlinable
  public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

extension Publishers {
  /// A publisher that sends the elements of a sequence and finishes.
  ///
  /// Each subscription makes an iterator. The first element is read at the subscription, and the iteration stays one
  /// element ahead, so that the completion follows the last element without further demand. Elements are sent
  /// synchronously from `request`. Requesting more while they are sent does not recurse.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    public typealias Output = Elements.Element

    /// The sequence.
    public let sequence: Elements

    /// Creates a publisher that sends the elements of `sequence`.
    @inlinable
    public init(sequence: Elements) { self.sequence = sequence }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      var iterator = sequence.makeIterator()
      if let first = iterator.next() {
        let sequence = sequence
        subscriber.receive(
          subscription: IteratorSubscription(first, then: iterator, to: subscriber) { isOver in
            isOver
              ? SourceReflection("Sequence", [("sequence", [Output]())])
              : SourceReflection("\(sequence)", [("sequence", sequence)])
          })
      } else {
        ImmediateCompletion.send(.finished, to: subscriber)
      }
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}
extension Publishers.Sequence: Sendable where Elements: Sendable {}
