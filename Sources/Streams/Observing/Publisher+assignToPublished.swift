extension Publisher where Failure == Never {
  /// Assigns each value to a ``Published`` property.
  ///
  /// The property keeps the subscription, so there is no cancellable to store. The subscription does not retain the object,
  /// but a closure of this publisher may. The completion of this publisher is ignored.
  ///
  /// `isolation` is the actor of the property. It defaults to the actor of the call. The assignment runs there, as
  /// ``Subscribers/IsolationPolicy/standard`` describes.
  @inlinable @_transparent
  public func assign(
    to published: inout Published<Output>.Publisher, isolation: (any Actor)? = #isolation
  ) {
    let assignment = published.storage.assignment(on: isolation)
    subscribe(assignment)
  }
}
