extension Publisher {
  /// Passes on what two publishers send, as it comes.
  ///
  /// Each publisher is asked for one value ahead of demand. The stream finishes when both have finished, and fails
  /// with the first failure.
  ///
  /// ```swift
  /// let a = PassthroughSubject<Int, Never>()
  /// let b = PassthroughSubject<Int, Never>()
  /// let sink = a.merge(with: b).sink { print($0) }
  /// a.send(1)  // 1
  /// b.send(2)  // 2
  /// ```
  @inlinable
  public func merge<P: Publisher>(
    with other: P
  ) -> Publishers.Merge<Self, P>
  where
    P.Output == Output, P.Failure == Failure
  {
    Publishers.Merge(self, other)
  }

  /// The same for three publishers.
  @inlinable
  public func merge<B: Publisher, C: Publisher>(
    with b: B, _ c: C
  ) -> Publishers.Merge3<Self, B, C>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure
  {
    Publishers.Merge3(self, b, c)
  }

  /// The same for four publishers.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher>(
    with b: B, _ c: C, _ d: D
  ) -> Publishers.Merge4<Self, B, C, D>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure
  {
    Publishers.Merge4(self, b, c, d)
  }

  /// The same for five publishers.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E
  ) -> Publishers.Merge5<Self, B, C, D, E>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure,
    E.Output == Output, E.Failure == Failure
  {
    Publishers.Merge5(self, b, c, d, e)
  }

  /// The same for six publishers.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Publishers.Merge6<Self, B, C, D, E, F>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure,
    E.Output == Output, E.Failure == Failure,
    F.Output == Output, F.Failure == Failure
  {
    Publishers.Merge6(self, b, c, d, e, f)
  }

  /// The same for seven publishers.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> Publishers.Merge7<Self, B, C, D, E, F, G>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure,
    E.Output == Output, E.Failure == Failure,
    F.Output == Output, F.Failure == Failure,
    G.Output == Output, G.Failure == Failure
  {
    Publishers.Merge7(self, b, c, d, e, f, g)
  }

  /// The same for eight publishers.
  @inlinable
  public func merge<
    B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher
  >(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> Publishers.Merge8<Self, B, C, D, E, F, G, H>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure,
    E.Output == Output, E.Failure == Failure,
    F.Output == Output, F.Failure == Failure,
    G.Output == Output, G.Failure == Failure,
    H.Output == Output, H.Failure == Failure
  {
    Publishers.Merge8(self, b, c, d, e, f, g, h)
  }

  /// The same for publishers of one type.
  @inlinable
  public func merge(with other: Self) -> Publishers.MergeMany<Self> { Publishers.MergeMany([self, other]) }
}

extension Publishers {
  /// The publisher of `merge` of two publishers.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure
  {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    public let a: A
    public let b: B

    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// 3 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge3<A, B, Z>
    where
      Z.Output == Output, Z.Failure == Failure
    {
      Merge3(a, b, z)
    }

    /// 4 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher>(
      with z: Z, _ y: Y
    ) -> Merge4<A, B, Z, Y>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure
    {
      Merge4(a, b, z, y)
    }

    /// 5 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
      with z: Z, _ y: Y, _ x: X
    ) -> Merge5<A, B, Z, Y, X>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure,
      X.Output == Output, X.Failure == Failure
    {
      Merge5(a, b, z, y, x)
    }

    /// 6 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W
    ) -> Merge6<A, B, Z, Y, X, W>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure,
      X.Output == Output, X.Failure == Failure,
      W.Output == Output, W.Failure == Failure
    {
      Merge6(a, b, z, y, x, w)
    }

    /// 7 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V
    ) -> Merge7<A, B, Z, Y, X, W, V>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure,
      X.Output == Output, X.Failure == Failure,
      W.Output == Output, W.Failure == Failure,
      V.Output == Output, V.Failure == Failure
    {
      Merge7(a, b, z, y, x, w, v)
    }

    /// 8 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher, U: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V, _ u: U
    ) -> Merge8<A, B, Z, Y, X, W, V, U>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure,
      X.Output == Output, X.Failure == Failure,
      W.Output == Output, W.Failure == Failure,
      V.Output == Output, V.Failure == Failure,
      U.Output == Output, U.Failure == Failure
    {
      Merge8(a, b, z, y, x, w, v, u)
    }

    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let merging = Merging(of: 2, to: subscriber)
      subscriber.receive(subscription: merging)
      merging.join(a)
      merging.join(b)
    }
  }

  /// The publisher of `merge` of three publishers.
  public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure,
    B.Output == C.Output, B.Failure == C.Failure
  {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    public let a: A
    public let b: B
    public let c: C

    @inlinable
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// 4 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge4<A, B, C, Z>
    where
      Z.Output == Output, Z.Failure == Failure
    {
      Merge4(a, b, c, z)
    }

    /// 5 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher>(
      with z: Z, _ y: Y
    ) -> Merge5<A, B, C, Z, Y>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure
    {
      Merge5(a, b, c, z, y)
    }

    /// 6 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
      with z: Z, _ y: Y, _ x: X
    ) -> Merge6<A, B, C, Z, Y, X>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure,
      X.Output == Output, X.Failure == Failure
    {
      Merge6(a, b, c, z, y, x)
    }

    /// 7 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W
    ) -> Merge7<A, B, C, Z, Y, X, W>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure,
      X.Output == Output, X.Failure == Failure,
      W.Output == Output, W.Failure == Failure
    {
      Merge7(a, b, c, z, y, x, w)
    }

    /// 8 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V
    ) -> Merge8<A, B, C, Z, Y, X, W, V>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure,
      X.Output == Output, X.Failure == Failure,
      W.Output == Output, W.Failure == Failure,
      V.Output == Output, V.Failure == Failure
    {
      Merge8(a, b, c, z, y, x, w, v)
    }

    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let merging = Merging(of: 3, to: subscriber)
      subscriber.receive(subscription: merging)
      merging.join(a)
      merging.join(b)
      merging.join(c)
    }
  }

  /// The publisher of `merge` of four publishers.
  public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure,
    B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure
  {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    public let a: A
    public let b: B
    public let c: C
    public let d: D

    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    /// 5 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge5<A, B, C, D, Z>
    where
      Z.Output == Output, Z.Failure == Failure
    {
      Merge5(a, b, c, d, z)
    }

    /// 6 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher>(
      with z: Z, _ y: Y
    ) -> Merge6<A, B, C, D, Z, Y>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure
    {
      Merge6(a, b, c, d, z, y)
    }

    /// 7 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
      with z: Z, _ y: Y, _ x: X
    ) -> Merge7<A, B, C, D, Z, Y, X>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure,
      X.Output == Output, X.Failure == Failure
    {
      Merge7(a, b, c, d, z, y, x)
    }

    /// 8 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W
    ) -> Merge8<A, B, C, D, Z, Y, X, W>
    where
      Z.Output == Output, Z.Failure == Failure,
      Y.Output == Output, Y.Failure == Failure,
      X.Output == Output, X.Failure == Failure,
      W.Output == Output, W.Failure == Failure
    {
      Merge8(a, b, c, d, z, y, x, w)
    }

    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let merging = Merging(of: 4, to: subscriber)
      subscriber.receive(subscription: merging)
      merging.join(a)
      merging.join(b)
      merging.join(c)
      merging.join(d)
    }
  }

  /// The publisher of `merge` of five publishers.
  public struct Merge5<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure,
    B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure,
    D.Output == E.Output, D.Failure == E.Failure
  {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    public let a: A
    public let b: B
    public let c: C
    public let d: D
    public let e: E

    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
    }

    /// 6 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge6<A, B, C, D, E, Z>
    where
      Z.Output == Output, Z.Failure == Failure
    {
      Merge6(a, b, c, d, e, z)
    }

    /// 7 publishers in one stage.
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

    /// 8 publishers in one stage.
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

    @inlinable @inline(__always)
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

  /// The publisher of `merge` of six publishers.
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

    public let a: A
    public let b: B
    public let c: C
    public let d: D
    public let e: E
    public let f: F

    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
    }

    /// 7 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge7<A, B, C, D, E, F, Z>
    where
      Z.Output == Output, Z.Failure == Failure
    {
      Merge7(a, b, c, d, e, f, z)
    }

    /// 8 publishers in one stage.
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

    @inlinable @inline(__always)
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

  /// The publisher of `merge` of seven publishers.
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

    public let a: A
    public let b: B
    public let c: C
    public let d: D
    public let e: E
    public let f: F
    public let g: G

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

    /// 8 publishers in one stage.
    @inlinable
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge8<A, B, C, D, E, F, G, Z>
    where
      Z.Output == Output, Z.Failure == Failure
    {
      Merge8(a, b, c, d, e, f, g, z)
    }

    @inlinable @inline(__always)
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

  /// The publisher of `merge` of eight publishers.
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

    public let a: A
    public let b: B
    public let c: C
    public let d: D
    public let e: E
    public let f: F
    public let g: G
    public let h: H

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

    @inlinable @inline(__always)
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

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Merge3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.Merge4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
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
extension Publishers.Merge: Sendable where A: Sendable, B: Sendable {}
extension Publishers.Merge3: Sendable where A: Sendable, B: Sendable, C: Sendable {}
extension Publishers.Merge4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}
extension Publishers.Merge5: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable {}
extension Publishers.Merge6: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable {}
extension Publishers.Merge7: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable {}
extension Publishers.Merge8: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable, H: Sendable {
}
