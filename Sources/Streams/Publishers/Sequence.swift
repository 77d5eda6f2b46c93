extension Sequence {
  /// A publisher of this sequence's elements.
  @inlinable
  public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

extension Publishers {
  /// A publisher of the elements of a sequence.
  ///
  /// Each subscriber iterates anew. The first element is read at subscription, and the publisher stays one element
  /// ahead, so that it finishes right after the last one without further demand. Elements are sent from within
  /// `request`, one after another: asking for more while they are sent does not recurse.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    public typealias Output = Elements.Element

    /// The sequence.
    public let sequence: Elements

    /// A publisher of the elements of `sequence`.
    @inlinable
    public init(sequence: Elements) { self.sequence = sequence }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      var iterator = sequence.makeIterator()
      if let first = iterator.next() {
        let sequence = sequence
        subscriber.receive(
          subscription: Pump(first, then: iterator, to: subscriber) { isOver in
            isOver
              ? Portrait("Sequence", [("sequence", [Output]())])
              : Portrait("\(sequence)", [("sequence", sequence)])
          })
      } else {
        Farewell.say(.finished, to: subscriber)
      }
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}
extension Publishers.Sequence: Sendable where Elements: Sendable {}
