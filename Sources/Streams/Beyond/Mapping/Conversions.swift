extension Publisher {
  /// Sends `value` in place of each value.
  @_disfavoredOverload
  @inlinable
  public func mapToValue<Value>(_ value: Value) -> Publishers.Map<Self, Value> { map { _ in value } }

  /// Sends nothing but the fact that a value came.
  @_disfavoredOverload
  @inlinable
  public func mapToVoid() -> Publishers.Map<Self, Void> { map { _ in () } }

  /// Leaves all values out, and is a publisher of `NewOutput`.
  @_disfavoredOverload
  @inlinable
  public func ignoreOutput<NewOutput>(
    setOutputType outputType: NewOutput.Type
  ) -> Publishers.Map<Publishers.IgnoreOutput<Self>, NewOutput> {
    ignoreOutput().setOutputType(to: outputType)
  }
}

extension Publisher where Output == Never {
  /// The same, as a publisher of `NewOutput`: nothing is ever sent.
  @_disfavoredOverload
  @inlinable
  public func setOutputType<NewOutput>(to _: NewOutput.Type) -> Publishers.Map<Self, NewOutput> {
    map { (_: Never) -> NewOutput in }
  }
}

extension Publisher where Output: Collection {
  /// Sends each collection with its elements sent through `transform`.
  @_disfavoredOverload
  @inlinable
  public func mapMany<Result>(
    _ transform: @escaping (Output.Element) -> Result
  ) -> Publishers.Map<Self, [Result]> {
    map { $0.map(transform) }
  }

  /// Sends each collection without the elements that fail `isIncluded`.
  @_disfavoredOverload
  @inlinable
  public func filterMany(
    _ isIncluded: @escaping (Output.Element) -> Bool
  ) -> Publishers.Map<Self, [Output.Element]> {
    map { $0.filter(isIncluded) }
  }
}

extension Publisher where Output == Bool {
  /// Sends true for false, and false for true.
  @_disfavoredOverload
  @inlinable
  public func toggle() -> Publishers.Map<Self, Bool> { map(!) }
}

extension Publisher {
  /// Sends each value with `object`, as long as that lives; then finishes.
  ///
  /// ```
  /// self    -1--2---3--
  /// object  ------x             lets go
  /// result  -1--2---|
  /// ```
  ///
  /// `object` is not held. That it is gone is noticed when the next value comes: upstream is cancelled then.
  @_disfavoredOverload
  public func withUnretained<Object: AnyObject>(
    _ object: Object
  ) -> AnyPublisher<(Object, Output), Failure> {
    withUnretained(object) { ($0, $1) }
  }

  /// Sends what `transform` makes of each value and `object`, as long as that lives; then finishes.
  @_disfavoredOverload
  public func withUnretained<Object: AnyObject, Result>(
    _ object: Object, _ transform: @escaping (Object, Output) -> Result
  ) -> AnyPublisher<Result, Failure> {
    Publishers.Map(upstream: self) { [weak object] value in object.map { transform($0, value) } }
      .prefix { $0 != nil }.compactMap { $0 }.eraseToAnyPublisher()
  }
}
