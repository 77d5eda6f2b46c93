extension Publisher {
  /// Joins the values of five publishers into rows, one of each. See ``zip(_:)``.
  @_disfavoredOverload
  @inlinable
  public func zip<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    _ b: B, _ c: C, _ d: D, _ e: E
  ) -> AnyPublisher<(Output, B.Output, C.Output, D.Output, E.Output), Failure>
  where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure {
    zip(b, c, d).zip(e) { ($0.0, $0.1, $0.2, $0.3, $1) }.eraseToAnyPublisher()
  }

  /// The same for six publishers.
  @_disfavoredOverload
  @inlinable
  public func zip<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> AnyPublisher<(Output, B.Output, C.Output, D.Output, E.Output, F.Output), Failure>
  where
    B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure,
    F.Failure == Failure
  {
    zip(b, c, d).zip(e.zip(f)) { ($0.0, $0.1, $0.2, $0.3, $1.0, $1.1) }.eraseToAnyPublisher()
  }

  /// The same for seven publishers.
  @_disfavoredOverload
  @inlinable
  public func zip<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
    _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> AnyPublisher<(Output, B.Output, C.Output, D.Output, E.Output, F.Output, G.Output), Failure>
  where
    B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure,
    F.Failure == Failure, G.Failure == Failure
  {
    zip(b, c, d).zip(e.zip(f, g)) { ($0.0, $0.1, $0.2, $0.3, $1.0, $1.1, $1.2) }.eraseToAnyPublisher()
  }

  /// The same for eight publishers.
  @_disfavoredOverload
  @inlinable
  public func zip<
    B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher
  >(
    _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> AnyPublisher<(Output, B.Output, C.Output, D.Output, E.Output, F.Output, G.Output, H.Output), Failure>
  where
    B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure,
    F.Failure == Failure, G.Failure == Failure, H.Failure == Failure
  {
    zip(b, c, d).zip(e.zip(f, g, h)) { ($0.0, $0.1, $0.2, $0.3, $1.0, $1.1, $1.2, $1.3) }
      .eraseToAnyPublisher()
  }

  /// Sends the latest values of five publishers, each time one of them sends. See ``combineLatest(_:)``.
  @_disfavoredOverload
  @inlinable
  public func combineLatest<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    _ b: B, _ c: C, _ d: D, _ e: E
  ) -> AnyPublisher<(Output, B.Output, C.Output, D.Output, E.Output), Failure>
  where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure {
    combineLatest(b, c, d).combineLatest(e) { ($0.0, $0.1, $0.2, $0.3, $1) }.eraseToAnyPublisher()
  }

  /// The same for six publishers.
  @_disfavoredOverload
  @inlinable
  public func combineLatest<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> AnyPublisher<(Output, B.Output, C.Output, D.Output, E.Output, F.Output), Failure>
  where
    B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure,
    F.Failure == Failure
  {
    combineLatest(b, c, d).combineLatest(e.combineLatest(f)) { ($0.0, $0.1, $0.2, $0.3, $1.0, $1.1) }
      .eraseToAnyPublisher()
  }

  /// The same for seven publishers.
  @_disfavoredOverload
  @inlinable
  public func combineLatest<
    B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
  >(
    _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> AnyPublisher<(Output, B.Output, C.Output, D.Output, E.Output, F.Output, G.Output), Failure>
  where
    B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure,
    F.Failure == Failure, G.Failure == Failure
  {
    combineLatest(b, c, d).combineLatest(e.combineLatest(f, g)) {
      ($0.0, $0.1, $0.2, $0.3, $1.0, $1.1, $1.2)
    }.eraseToAnyPublisher()
  }

  /// The same for eight publishers.
  @_disfavoredOverload
  @inlinable
  public func combineLatest<
    B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher
  >(
    _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> AnyPublisher<(Output, B.Output, C.Output, D.Output, E.Output, F.Output, G.Output, H.Output), Failure>
  where
    B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure,
    F.Failure == Failure, G.Failure == Failure, H.Failure == Failure
  {
    combineLatest(b, c, d).combineLatest(e.combineLatest(f, g, h)) {
      ($0.0, $0.1, $0.2, $0.3, $1.0, $1.1, $1.2, $1.3)
    }.eraseToAnyPublisher()
  }
}
