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

  /// Combines the latest values of three publishers as a tuple. See ``combineLatest(_:)``.
  ///
  /// ![Marble diagram of combine-latest-many](combine-latest-many.svg)
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher>(
    _ publisher1: P, _ publisher2: Q
  ) -> Publishers.CombineLatest3<Self, P, Q>
  where P.Failure == Failure, Q.Failure == Failure {
    Publishers.CombineLatest3(self, publisher1, publisher2)
  }

  /// Combines the latest values of three publishers with a closure. See ``combineLatest(_:)``.
  ///
  /// ![Marble diagram of combine-latest-many](combine-latest-many.svg)
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, Result>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> Result
  ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, Result>
  where P.Failure == Failure, Q.Failure == Failure {
    Publishers.Map(upstream: combineLatest(publisher1, publisher2)) { transform($0.0, $0.1, $0.2) }
  }

  /// Combines the latest values of four publishers as a tuple. See ``combineLatest(_:)``.
  ///
  /// ![Marble diagram of combine-latest-many](combine-latest-many.svg)
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R
  ) -> Publishers.CombineLatest4<Self, P, Q, R>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.CombineLatest4(self, publisher1, publisher2, publisher3)
  }

  /// Combines the latest values of four publishers with a closure. See ``combineLatest(_:)``.
  ///
  /// ![Marble diagram of combine-latest-many](combine-latest-many.svg)
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, Result>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> Result
  ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, Result>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.Map(upstream: combineLatest(publisher1, publisher2, publisher3)) {
      transform($0.0, $0.1, $0.2, $0.3)
    }
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

  /// The publisher returned by `combineLatest(_:_:)`.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    public typealias Output = (A.Output, B.Output, C.Output)
    public typealias Failure = A.Failure

    /// The publisher of the first value of each tuple.
    public let a: A
    /// The publisher of the second value of each tuple.
    public let b: B
    /// The publisher of the third value of each tuple.
    public let c: C

    /// Creates the publisher that `a.combineLatest(b, c)` returns.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let join = Join(
        "CombineLatest", .showsLatest, (A.Output?.none, B.Output?.none, C.Output?.none), arity: 3,
        isExhausted: { slots, number in
          switch number {
          case 0: slots.0 == nil
          case 1: slots.1 == nil
          default: slots.2 == nil
          }
        },
        to: RowOutlet(to: subscriber) { join in
          guard let a = join.slots.0, let b = join.slots.1, let c = join.slots.2 else { return nil }
          return join.send((a, b, c), to: subscriber)
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
      let cIn = join.inlet(2, C.Output.self) { slots, value in
        defer { slots.2 = value }
        return slots.2
      }
      a.attach(aIn)
      b.attach(bIn)
      c.attach(cIn)
    }
  }

  /// The publisher returned by `combineLatest(_:_:_:)`.
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
    public typealias Failure = A.Failure

    /// The publisher of the first value of each tuple.
    public let a: A
    /// The publisher of the second value of each tuple.
    public let b: B
    /// The publisher of the third value of each tuple.
    public let c: C
    /// The publisher of the fourth value of each tuple.
    public let d: D

    /// Creates the publisher that `a.combineLatest(b, c, d)` returns.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let join = Join(
        "CombineLatest", .showsLatest, (A.Output?.none, B.Output?.none, C.Output?.none, D.Output?.none),
        arity: 4,
        isExhausted: { slots, number in
          switch number {
          case 0: slots.0 == nil
          case 1: slots.1 == nil
          case 2: slots.2 == nil
          default: slots.3 == nil
          }
        },
        to: RowOutlet(to: subscriber) { join in
          guard let a = join.slots.0, let b = join.slots.1, let c = join.slots.2, let d = join.slots.3 else {
            return nil
          }
          return join.send((a, b, c, d), to: subscriber)
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
      let cIn = join.inlet(2, C.Output.self) { slots, value in
        defer { slots.2 = value }
        return slots.2
      }
      let dIn = join.inlet(3, D.Output.self) { slots, value in
        defer { slots.3 = value }
        return slots.3
      }
      a.attach(aIn)
      b.attach(bIn)
      c.attach(cIn)
      d.attach(dIn)
    }
  }
}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}
extension Publishers.CombineLatest3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.CombineLatest4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
extension Publishers.CombineLatest: Sendable where A: Sendable, B: Sendable {}
extension Publishers.CombineLatest3: Sendable where A: Sendable, B: Sendable, C: Sendable {}
extension Publishers.CombineLatest4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}
