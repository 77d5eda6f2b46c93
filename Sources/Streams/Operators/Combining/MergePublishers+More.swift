extension Publishers {
  /// A publisher that merges the values of five publishers.
  public struct Merge5<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure,
    B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure,
    D.Output == E.Output, D.Failure == E.Failure
  {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    /// The publisher that is subscribed to first.
    public let a: A
    /// The publisher that is subscribed to second.
    public let b: B
    /// The publisher that is subscribed to third.
    public let c: C
    /// The publisher that is subscribed to fourth.
    public let d: D
    /// The publisher that is subscribed to fifth.
    public let e: E

    /// Creates the publisher that `a.merge(with: b, c, d, e)` returns.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
    }

    /// Merges the values of six publishers, in the same stage.
    @inlinable
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge6<A, B, C, D, E, Z>
    where
      Z.Output == Output, Z.Failure == Failure
    {
      Merge6(a, b, c, d, e, z)
    }

    /// Merges the values of seven publishers, in the same stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher>(
      with z: Z, _ y: Y
    ) -> Merge7<A, B, C, D, E, Z, Y>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure
    {
      Merge7(a, b, c, d, e, z, y)
    }

    /// Merges the values of eight publishers, in the same stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
      with z: Z, _ y: Y, _ x: X
    ) -> Merge8<A, B, C, D, E, Z, Y, X>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure,
      X.Output == Output, X.Failure == Failure
    {
      Merge8(a, b, c, d, e, z, y, x)
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let merging = Merging(of: 5, to: subscriber)
      subscriber.receive(subscription: merging)
      merging.join(a)
      merging.join(b)
      merging.join(c)
      merging.join(d)
      merging.join(e)
    }
  }

  /// A publisher that merges the values of six publishers.
  public struct Merge6<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>:
    Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure,
    B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure,
    D.Output == E.Output, D.Failure == E.Failure,
    E.Output == F.Output, E.Failure == F.Failure
  {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    /// The publisher that is subscribed to first.
    public let a: A
    /// The publisher that is subscribed to second.
    public let b: B
    /// The publisher that is subscribed to third.
    public let c: C
    /// The publisher that is subscribed to fourth.
    public let d: D
    /// The publisher that is subscribed to fifth.
    public let e: E
    /// The publisher that is subscribed to sixth.
    public let f: F

    /// Creates the publisher that `a.merge(with: b, c, d, e, f)` returns.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
    }

    /// Merges the values of seven publishers, in the same stage.
    @inlinable
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge7<A, B, C, D, E, F, Z>
    where
      Z.Output == Output, Z.Failure == Failure
    {
      Merge7(a, b, c, d, e, f, z)
    }

    /// Merges the values of eight publishers, in the same stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher>(
      with z: Z, _ y: Y
    ) -> Merge8<A, B, C, D, E, F, Z, Y>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure
    {
      Merge8(a, b, c, d, e, f, z, y)
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let merging = Merging(of: 6, to: subscriber)
      subscriber.receive(subscription: merging)
      merging.join(a)
      merging.join(b)
      merging.join(c)
      merging.join(d)
      merging.join(e)
      merging.join(f)
    }
  }

  /// A publisher that merges the values of seven publishers.
  public struct Merge7<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
  >: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure,
    B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure,
    D.Output == E.Output, D.Failure == E.Failure,
    E.Output == F.Output, E.Failure == F.Failure,
    F.Output == G.Output, F.Failure == G.Failure
  {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    /// The publisher that is subscribed to first.
    public let a: A
    /// The publisher that is subscribed to second.
    public let b: B
    /// The publisher that is subscribed to third.
    public let c: C
    /// The publisher that is subscribed to fourth.
    public let d: D
    /// The publisher that is subscribed to fifth.
    public let e: E
    /// The publisher that is subscribed to sixth.
    public let f: F
    /// The publisher that is subscribed to seventh.
    public let g: G

    /// Creates the publisher that `a.merge(with: b, c, d, e, f, g)` returns.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
      self.g = g
    }

    /// Merges the values of eight publishers, in the same stage.
    @inlinable
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge8<A, B, C, D, E, F, G, Z>
    where
      Z.Output == Output, Z.Failure == Failure
    {
      Merge8(a, b, c, d, e, f, g, z)
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let merging = Merging(of: 7, to: subscriber)
      subscriber.receive(subscription: merging)
      merging.join(a)
      merging.join(b)
      merging.join(c)
      merging.join(d)
      merging.join(e)
      merging.join(f)
      merging.join(g)
    }
  }

  /// A publisher that merges the values of eight publishers.
  public struct Merge8<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher,
    H: Publisher
  >: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure,
    B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure,
    D.Output == E.Output, D.Failure == E.Failure,
    E.Output == F.Output, E.Failure == F.Failure,
    F.Output == G.Output, F.Failure == G.Failure,
    G.Output == H.Output, G.Failure == H.Failure
  {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    /// The publisher that is subscribed to first.
    public let a: A
    /// The publisher that is subscribed to second.
    public let b: B
    /// The publisher that is subscribed to third.
    public let c: C
    /// The publisher that is subscribed to fourth.
    public let d: D
    /// The publisher that is subscribed to fifth.
    public let e: E
    /// The publisher that is subscribed to sixth.
    public let f: F
    /// The publisher that is subscribed to seventh.
    public let g: G
    /// The publisher that is subscribed to eighth.
    public let h: H

    /// Creates the publisher that `a.merge(with: b, c, d, e, f, g, h)` returns.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
      self.g = g
      self.h = h
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let merging = Merging(of: 8, to: subscriber)
      subscriber.receive(subscription: merging)
      merging.join(a)
      merging.join(b)
      merging.join(c)
      merging.join(d)
      merging.join(e)
      merging.join(f)
      merging.join(g)
      merging.join(h)
    }
  }
}

extension Publishers.Merge5: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable {}
extension Publishers.Merge6: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable {}
extension Publishers.Merge7: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable {}
extension Publishers.Merge8: Equatable
where
  A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable,
  H: Equatable
{}
extension Publishers.Merge5: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable {}
extension Publishers.Merge6: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable {}
extension Publishers.Merge7: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable {}
extension Publishers.Merge8: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable, H: Sendable {
}
