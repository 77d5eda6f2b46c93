extension Publisher {
  /// Combines the latest values of two publishers as a tuple, each time one of them sends a value.
  ///
  /// ![Marble diagram of combine-latest](combine-latest.svg)
  ///
  /// ```swift
  /// let width = CurrentValueSubject<Int, Never>(2)
  /// let height = PassthroughSubject<Int, Never>()
  /// let cancellable = width.combineLatest(height).sink { print($0 * $1) }
  /// height.send(5)  // Prints 10
  /// width.send(3)  // Prints 15
  /// ```
  ///
  /// No value is sent until both publishers have sent one. A value that arrives during the delivery of a tuple makes none: it
  /// is in the next one. Of the tuples without demand, only the newest is kept, for the next request. The stream finishes
  /// when both publishers have finished and no tuple waits, and fails with the first failure.
  @inlinable
  public func combineLatest<P: Publisher>(
    _ other: P
  ) -> Publishers.CombineLatest<Self, P>
  where P.Failure == Failure {
    Publishers.CombineLatest(self, other)
  }

  /// Combines the latest values of two publishers with a closure. See ``combineLatest(_:)``.
  ///
  /// ![Marble diagram of combine-latest](combine-latest.svg)
  @inlinable
  public func combineLatest<P: Publisher, Result>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> Result
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, Result>
  where P.Failure == Failure {
    Publishers.Map(upstream: combineLatest(other)) { transform($0.0, $0.1) }
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/combineLatest(_:)``.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    public typealias Output = (A.Output, B.Output)
    public typealias Failure = A.Failure

    /// The publisher of the first value of each tuple.
    public let a: A
    /// The publisher of the second value of each tuple.
    public let b: B

    /// Creates the publisher that `a.combineLatest(b)` returns.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let join = Join(
        "CombineLatest", .showsLatest, (A.Output?.none, B.Output?.none), arity: 2,
        isExhausted: { slots, number in number == 0 ? slots.0 == nil : slots.1 == nil },
        to: RowOutlet(to: subscriber) { join in
          guard let a = join.slots.0, let b = join.slots.1 else { return nil }
          return join.send((a, b), to: subscriber)
        })
      subscriber.receive(subscription: join)
      let aIn = join.inlet(0, A.Output.self) { slots, value in
        defer { slots.0 = value }
        return slots.0
      }
      let bIn = join.inlet(1, B.Output.self) { slots, value in
        defer { slots.1 = value }
        return slots.1
      }
      a.attach(aIn)
      b.attach(bIn)
    }
  }
}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}
extension Publishers.CombineLatest: Sendable where A: Sendable, B: Sendable {}
