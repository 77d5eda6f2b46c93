extension Publisher {
  /// Combines the values of two publishers pairwise as a tuple: the first with the first, the second with the second.
  ///
  /// ![Marble diagram of zip](zip.svg)
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .zip(["a", "b"].publisher)
  ///   .sink { print("\($0)\($1)") }
  /// // Prints 1a, 2b
  /// ```
  ///
  /// Values wait for their counterpart. The stream finishes when one publisher has finished and none of its values is
  /// waiting. The other publisher is then cancelled. The stream fails with the first failure.
  ///
  /// Of a sequence, at most 32 elements are requested ahead, so it may be endless. Other publishers are asked for everything
  /// that is requested of the stream, because subjects lose what nobody has requested. `zip(_:prefetch:)` of StreamsExtras
  /// limits that.
  ///
  /// - Complexity: Keeps as many values as one publisher is ahead of the other.
  @inlinable
  public func zip<P: Publisher>(
    _ other: P
  ) -> Publishers.Zip<Self, P>
  where P.Failure == Failure {
    Publishers.Zip(self, other)
  }

  /// Combines the values of two publishers pairwise with a closure. See ``zip(_:)``.
  ///
  /// ![Marble diagram of zip](zip.svg)
  @inlinable
  public func zip<P: Publisher, Result>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> Result
  ) -> Publishers.Map<Publishers.Zip<Self, P>, Result>
  where P.Failure == Failure {
    Publishers.Map(upstream: zip(other)) { transform($0.0, $0.1) }
  }

  /// Combines the values of three publishers pairwise as a tuple. See ``zip(_:)``.
  ///
  /// ![Marble diagram of zip-many](zip-many.svg)
  @inlinable
  public func zip<P: Publisher, Q: Publisher>(
    _ publisher1: P, _ publisher2: Q
  ) -> Publishers.Zip3<Self, P, Q>
  where P.Failure == Failure, Q.Failure == Failure {
    Publishers.Zip3(self, publisher1, publisher2)
  }

  /// Combines the values of three publishers pairwise with a closure. See ``zip(_:)``.
  ///
  /// ![Marble diagram of zip-many](zip-many.svg)
  @inlinable
  public func zip<P: Publisher, Q: Publisher, Result>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> Result
  ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, Result>
  where P.Failure == Failure, Q.Failure == Failure {
    Publishers.Map(upstream: zip(publisher1, publisher2)) { transform($0.0, $0.1, $0.2) }
  }

  /// Combines the values of four publishers pairwise as a tuple. See ``zip(_:)``.
  ///
  /// ![Marble diagram of zip-many](zip-many.svg)
  @inlinable
  public func zip<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R
  ) -> Publishers.Zip4<Self, P, Q, R>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.Zip4(self, publisher1, publisher2, publisher3)
  }

  /// Combines the values of four publishers pairwise with a closure. See ``zip(_:)``.
  ///
  /// ![Marble diagram of zip-many](zip-many.svg)
  @inlinable
  public func zip<P: Publisher, Q: Publisher, R: Publisher, Result>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> Result
  ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, Result>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.Map(upstream: zip(publisher1, publisher2, publisher3)) { transform($0.0, $0.1, $0.2, $0.3) }
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/zip(_:)``.
  public struct Zip<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    public typealias Output = (A.Output, B.Output)
    public typealias Failure = A.Failure

    /// The publisher of the first value of each tuple.
    public let a: A
    /// The publisher of the second value of each tuple.
    public let b: B

    /// Creates the publisher that `a.zip(b)` returns.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      join(prefetch: nil, to: subscriber)
    }

    @inlinable @_transparent
    package func join<Downstream: Subscriber>(prefetch: Int?, to subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let join = Join(
        "Zip", .takesOneOfEach, (RingQueue<A.Output>(), RingQueue<B.Output>()), arity: 2, prefetch: prefetch,
        isExhausted: { slots, number in number == 0 ? slots.0.isEmpty : slots.1.isEmpty },
        to: RowOutlet(to: subscriber) { join in
          guard !join.slots.0.isEmpty, !join.slots.1.isEmpty else { return nil }
          return join.send((join.slots.0.removeFirst(), join.slots.1.removeFirst()), to: subscriber)
        })
      subscriber.receive(subscription: join)
      let aIn = join.inlet(0, A.Output.self) { slots, value in
        slots.0.append(value)
        return nil
      }
      let bIn = join.inlet(1, B.Output.self) { slots, value in
        slots.1.append(value)
        return nil
      }
      a.attach(aIn)
      b.attach(bIn)
    }
  }

  /// The publisher returned by `zip(_:_:)`.
  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    public typealias Output = (A.Output, B.Output, C.Output)
    public typealias Failure = A.Failure

    /// The publisher of the first value of each tuple.
    public let a: A
    /// The publisher of the second value of each tuple.
    public let b: B
    /// The publisher of the third value of each tuple.
    public let c: C

    /// Creates the publisher that `a.zip(b, c)` returns.
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
        "Zip", .takesOneOfEach, (RingQueue<A.Output>(), RingQueue<B.Output>(), RingQueue<C.Output>()),
        arity: 3,
        isExhausted: { slots, number in [slots.0.isEmpty, slots.1.isEmpty, slots.2.isEmpty][number] },
        to: RowOutlet(to: subscriber) { join in
          guard !join.slots.0.isEmpty, !join.slots.1.isEmpty, !join.slots.2.isEmpty else { return nil }
          return join.send(
            (join.slots.0.removeFirst(), join.slots.1.removeFirst(), join.slots.2.removeFirst()),
            to: subscriber)
        })
      subscriber.receive(subscription: join)
      let aIn = join.inlet(0, A.Output.self) { slots, value in
        slots.0.append(value)
        return nil
      }
      let bIn = join.inlet(1, B.Output.self) { slots, value in
        slots.1.append(value)
        return nil
      }
      let cIn = join.inlet(2, C.Output.self) { slots, value in
        slots.2.append(value)
        return nil
      }
      a.attach(aIn)
      b.attach(bIn)
      c.attach(cIn)
    }
  }

  /// The publisher returned by `zip(_:_:_:)`.
  public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
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

    /// Creates the publisher that `a.zip(b, c, d)` returns.
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
        "Zip", .takesOneOfEach,
        (RingQueue<A.Output>(), RingQueue<B.Output>(), RingQueue<C.Output>(), RingQueue<D.Output>()),
        arity: 4,
        isExhausted: { slots, number in
          [slots.0.isEmpty, slots.1.isEmpty, slots.2.isEmpty, slots.3.isEmpty][number]
        },
        to: RowOutlet(to: subscriber) { join in
          guard !join.slots.0.isEmpty, !join.slots.1.isEmpty, !join.slots.2.isEmpty, !join.slots.3.isEmpty
          else { return nil }
          return join.send(
            (
              join.slots.0.removeFirst(), join.slots.1.removeFirst(), join.slots.2.removeFirst(),
              join.slots.3.removeFirst()
            ), to: subscriber)
        })
      subscriber.receive(subscription: join)
      let aIn = join.inlet(0, A.Output.self) { slots, value in
        slots.0.append(value)
        return nil
      }
      let bIn = join.inlet(1, B.Output.self) { slots, value in
        slots.1.append(value)
        return nil
      }
      let cIn = join.inlet(2, C.Output.self) { slots, value in
        slots.2.append(value)
        return nil
      }
      let dIn = join.inlet(3, D.Output.self) { slots, value in
        slots.3.append(value)
        return nil
      }
      a.attach(aIn)
      b.attach(bIn)
      c.attach(cIn)
      d.attach(dIn)
    }
  }
}

extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Zip3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.Zip4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
extension Publishers.Zip: Sendable where A: Sendable, B: Sendable {}
extension Publishers.Zip3: Sendable where A: Sendable, B: Sendable, C: Sendable {}
extension Publishers.Zip4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}
