extension Publisher {
  /// Sends the latest values of two publishers, each time one of them sends.
  ///
  /// Nothing is sent before both have sent a value. A pair for which there is no demand is lost. The stream finishes
  /// when both have finished, and fails with the first failure.
  ///
  /// ```swift
  /// let a = CurrentValueSubject<Int, Never>(1)
  /// let b = PassthroughSubject<Int, Never>()
  /// let sink = a.combineLatest(b).sink { print($0) }
  /// b.send(10)  // (1, 10)
  /// ```
  @inlinable
  public func combineLatest<P: Publisher>(
    _ other: P
  ) -> Publishers.CombineLatest<Self, P>
  where P.Failure == Failure {
    Publishers.CombineLatest(self, other)
  }

  /// The same, with each row sent through `transform`.
  @inlinable
  public func combineLatest<P: Publisher, Result>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> Result
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, Result>
  where P.Failure == Failure {
    Publishers.Map(upstream: combineLatest(other)) { transform($0.0, $0.1) }
  }

  /// The same for three publishers.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher>(
    _ publisher1: P, _ publisher2: Q
  ) -> Publishers.CombineLatest3<Self, P, Q>
  where P.Failure == Failure, Q.Failure == Failure {
    Publishers.CombineLatest3(self, publisher1, publisher2)
  }

  /// The same, with each row sent through `transform`.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, Result>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> Result
  ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, Result>
  where P.Failure == Failure, Q.Failure == Failure {
    Publishers.Map(upstream: combineLatest(publisher1, publisher2)) { transform($0.0, $0.1, $0.2) }
  }

  /// The same for four publishers.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R
  ) -> Publishers.CombineLatest4<Self, P, Q, R>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.CombineLatest4(self, publisher1, publisher2, publisher3)
  }

  /// The same, with each row sent through `transform`.
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
  /// The publisher of ``Publisher/combineLatest(_:)``.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    public typealias Output = (A.Output, B.Output)
    public typealias Failure = A.Failure

    /// Its values come first in the tuples.
    public let a: A
    /// Its values come second in the tuples.
    public let b: B

    /// The same as `a.combineLatest(b)`.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let join = Join(
        "CombineLatest", .showsLatest, (A.Output?.none, B.Output?.none), arity: 2, to: subscriber
      ) { slots in
        guard let a = slots.0, let b = slots.1 else { return nil }
        return (a, b)
      }
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

  /// The publisher of `combineLatest(_:_:)`.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    public typealias Output = (A.Output, B.Output, C.Output)
    public typealias Failure = A.Failure

    /// Its values come first in the tuples.
    public let a: A
    /// Its values come second in the tuples.
    public let b: B
    /// Its values come third in the tuples.
    public let c: C

    /// The same as `a.combineLatest(b, c)`.
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
        to: subscriber
      ) { slots in
        guard let a = slots.0, let b = slots.1, let c = slots.2 else { return nil }
        return (a, b, c)
      }
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

  /// The publisher of `combineLatest(_:_:_:)`.
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
    public typealias Failure = A.Failure

    /// Its values come first in the tuples.
    public let a: A
    /// Its values come second in the tuples.
    public let b: B
    /// Its values come third in the tuples.
    public let c: C
    /// Its values come fourth in the tuples.
    public let d: D

    /// The same as `a.combineLatest(b, c, d)`.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let join = Join(
        "CombineLatest", .showsLatest, (A.Output?.none, B.Output?.none, C.Output?.none, D.Output?.none),
        arity: 4, to: subscriber
      ) { slots in
        guard let a = slots.0, let b = slots.1, let c = slots.2, let d = slots.3 else { return nil }
        return (a, b, c, d)
      }
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
