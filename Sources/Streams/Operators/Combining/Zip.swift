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
}

extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Zip: Sendable where A: Sendable, B: Sendable {}
