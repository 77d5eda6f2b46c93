extension Publisher {
  /// Replaces each value with `value`.
  @_disfavoredOverload
  @inlinable
  public func mapToValue<Value>(_ value: Value) -> Publishers.Map<Self, Value> { map { _ in value } }

  /// Replaces each value with `()`.
  @_disfavoredOverload
  @inlinable
  public func mapToVoid() -> Publishers.Map<Self, Void> { map { _ in () } }
}

extension Publisher where Output == Never {
  /// Declares the values of a publisher that sends none as `NewOutput`.
  @_disfavoredOverload
  @inlinable
  public func setOutputType<NewOutput>(to _: NewOutput.Type) -> Publishers.Map<Self, NewOutput> {
    map { (_: Never) -> NewOutput in }
  }
}

extension Publisher where Output: Collection {
  /// Transforms the elements of each collection with a closure.
  @_disfavoredOverload
  @inlinable
  public func mapMany<Result>(
    _ transform: @escaping (Output.Element) -> Result
  ) -> Publishers.Map<Self, [Result]> {
    map { $0.map(transform) }
  }

  /// Sends each collection as an array of the elements that satisfy `isIncluded`.
  @_disfavoredOverload
  @inlinable
  public func filterMany(
    _ isIncluded: @escaping (Output.Element) -> Bool
  ) -> Publishers.Map<Self, [Output.Element]> {
    map { $0.filter(isIncluded) }
  }
}

extension Publisher where Output == Bool {
  /// Negates each value.
  @_disfavoredOverload
  @inlinable
  public func toggle() -> Publishers.Map<Self, Bool> { map(!) }
}

extension Publisher {
  /// Sends each value as a tuple with `object`, which is held weakly. Finishes after its deallocation.
  ///
  /// ```
  /// self    -1--2---3--
  /// object  ------x             deallocated
  /// result  -1--2---|
  /// ```
  ///
  /// The deallocation is detected when the next value arrives. The upstream is then cancelled.
  @_disfavoredOverload
  public func withUnretained<Object: AnyObject>(
    _ object: Object
  ) -> AnyPublisher<(Object, Output), Failure> {
    withUnretained(object) { ($0, $1) }
  }

  /// Combines each value and an object, which is held weakly, with a closure. Finishes after its deallocation.
  @_disfavoredOverload
  public func withUnretained<Object: AnyObject, Result>(
    _ object: Object, _ transform: @escaping (Object, Output) -> Result
  ) -> AnyPublisher<Result, Failure> {
    Publishers.Map(upstream: self) { [weak object] value in object.map { transform($0, value) } }
      .prefix { $0 != nil }.compactMap { $0 }.eraseToAnyPublisher()
  }
}
