extension Publisher {
  /// Sends `elements` before the values of this publisher.
  ///
  /// ```swift
  /// let cancellable = [2, 3].publisher
  ///   .prepend(0, 1)
  ///   .sink { print($0) }
  /// // Prints 0, 1, 2, 3
  /// ```
  @inlinable
  public func prepend(_ elements: Output...)
    -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self>
  {
    prepend(elements)
  }

  /// Sends the elements of a sequence before the values of this publisher.
  @inlinable
  public func prepend<Elements: Sequence>(
    _ elements: Elements
  ) -> Publishers.Concatenate<Publishers.Sequence<Elements, Failure>, Self> where Elements.Element == Output {
    prepend(Publishers.Sequence<Elements, Failure>(sequence: elements))
  }

  /// Sends the values of `publisher` before the values of this publisher.
  ///
  /// ![Marble diagram of prepend](prepend.svg)
  ///
  /// This publisher is subscribed to when `publisher` has finished, so values that a ``PassthroughSubject`` sends earlier are
  /// lost.
  @inlinable
  public func prepend<Prefix: Publisher>(_ publisher: Prefix) -> Publishers.Concatenate<Prefix, Self>
  where Prefix.Output == Output, Prefix.Failure == Failure {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }
}
