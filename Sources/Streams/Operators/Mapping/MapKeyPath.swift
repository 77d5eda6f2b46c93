extension Publisher {
  /// Sends one property of each value.
  ///
  /// ```swift
  /// let cancellable = ["a", "bc"].publisher
  ///   .map(\.count)
  ///   .sink { print($0) }
  /// // Prints 1, 2
  /// ```
  @inlinable
  public func map<Result>(_ keyPath: KeyPath<Output, Result>) -> Publishers.MapKeyPath<Self, Result> {
    Publishers.MapKeyPath(upstream: self, keyPath: keyPath)
  }

  /// Sends two properties of each value as a tuple.
  @inlinable
  public func map<Result0, Result1>(
    _ keyPath0: KeyPath<Output, Result0>, _ keyPath1: KeyPath<Output, Result1>
  ) -> Publishers.MapKeyPath2<Self, Result0, Result1> {
    Publishers.MapKeyPath2(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
  }

  /// Sends three properties of each value as a tuple.
  @inlinable
  public func map<Result0, Result1, Result2>(
    _ keyPath0: KeyPath<Output, Result0>, _ keyPath1: KeyPath<Output, Result1>,
    _ keyPath2: KeyPath<Output, Result2>
  ) -> Publishers.MapKeyPath3<Self, Result0, Result1, Result2> {
    Publishers.MapKeyPath3(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
  }
}

extension Publishers {
  /// The publisher returned by `map(_:)` with one key path.
  public struct MapKeyPath<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values have the property.
    public let upstream: Upstream
    /// The property to send.
    public let keyPath: KeyPath<Upstream.Output, Output>

    @usableFromInline
    init(upstream: Upstream, keyPath: KeyPath<Upstream.Output, Output>) {
      self.upstream = upstream
      self.keyPath = keyPath
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(KeyPathSubscriber(OneKeyPath(keyPath), subscriber))
    }
  }

  /// The publisher returned by `map(_:_:)` with two key paths.
  public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: Publisher {
    public typealias Output = (Output0, Output1)
    public typealias Failure = Upstream.Failure

    /// The publisher whose values have the properties.
    public let upstream: Upstream
    /// The property that is sent first.
    public let keyPath0: KeyPath<Upstream.Output, Output0>
    /// The property that is sent second.
    public let keyPath1: KeyPath<Upstream.Output, Output1>

    @usableFromInline
    init(
      upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>,
      keyPath1: KeyPath<Upstream.Output, Output1>
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(KeyPathSubscriber(TwoKeyPaths(keyPath0, keyPath1), subscriber))
    }
  }

  /// The publisher returned by `map(_:_:_:)` with three key paths.
  public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: Publisher {
    public typealias Output = (Output0, Output1, Output2)
    public typealias Failure = Upstream.Failure

    /// The publisher whose values have the properties.
    public let upstream: Upstream
    /// The property that is sent first.
    public let keyPath0: KeyPath<Upstream.Output, Output0>
    /// The property that is sent second.
    public let keyPath1: KeyPath<Upstream.Output, Output1>
    /// The property that is sent third.
    public let keyPath2: KeyPath<Upstream.Output, Output2>

    @usableFromInline
    init(
      upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>,
      keyPath1: KeyPath<Upstream.Output, Output1>,
      keyPath2: KeyPath<Upstream.Output, Output2>
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
      self.keyPath2 = keyPath2
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(KeyPathSubscriber(ThreeKeyPaths(keyPath0, keyPath1, keyPath2), subscriber))
    }
  }
}
