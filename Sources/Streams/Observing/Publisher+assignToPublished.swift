extension Publisher where Failure == Never {
  /// Assigns each value to a ``Published`` property.
  ///
  /// The subscription lives as long as the property: there is nothing to keep, and no cycle. The end of this
  /// publisher is ignored.
  ///
  /// `isolation` is where the property belongs: where the call is written, unless said otherwise. There the assignment
  /// is made, as ``IsolationPolicy/standard`` says.
  @inlinable @_transparent
  public func assign(
    to published: inout Published<Output>.Publisher, isolation: (any Actor)? = #isolation
  ) {
    let assignment = published.storage.assignment(on: isolation)
    subscribe(assignment)
  }
}
