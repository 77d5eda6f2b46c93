extension Publisher {
  /// Sends `elements` before this publisher's values.
  @inlinable
  public func prepend(_ elements: Output...)
    -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self>
  {
    prepend(elements)
  }

  /// Sends the elements of a sequence before this publisher's values.
  @inlinable
  public func prepend<Elements: Sequence>(
    _ elements: Elements
  ) -> Publishers.Concatenate<Publishers.Sequence<Elements, Failure>, Self> where Elements.Element == Output {
    prepend(Publishers.Sequence<Elements, Failure>(sequence: elements))
  }

  /// Sends what `publisher` sends before this publisher's values.
  ///
  /// This publisher is subscribed only when `publisher` has finished: what a subject sends before that is lost.
  @inlinable
  public func prepend<Prefix: Publisher>(_ publisher: Prefix) -> Publishers.Concatenate<Prefix, Self>
  where Prefix.Output == Output, Prefix.Failure == Failure {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }
}
