extension Publisher {
  /// Combines the values of five publishers pairwise as a tuple. See `zip(_:)`.
  ///
  /// Unlike that, it may request everything of a sequence. So a sequence must not be endless.
  ///
  /// ![Marble diagram of zip-many](zip-many.svg)
  @_disfavoredOverload
  @inlinable
  public func zip<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    _ b: B, _ c: C, _ d: D, _ e: E
  ) -> AnyPublisher<(Output, B.Output, C.Output, D.Output, E.Output), Failure>
  where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure {
    zip(b, c, d).zip(e) { ($0.0, $0.1, $0.2, $0.3, $1) }.eraseToAnyPublisher()
  }

  /// Combines the values of six publishers pairwise as a tuple. See `zip(_:)`.
  ///
  /// Unlike that, it may request everything of a sequence. So a sequence must not be endless.
  ///
  /// ![Marble diagram of zip-many](zip-many.svg)
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

  /// Combines the values of seven publishers pairwise as a tuple. See `zip(_:)`.
  ///
  /// Unlike that, it may request everything of a sequence. So a sequence must not be endless.
  ///
  /// ![Marble diagram of zip-many](zip-many.svg)
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

  /// Combines the values of eight publishers pairwise as a tuple. See `zip(_:)`.
  ///
  /// Unlike that, it may request everything of a sequence. So a sequence must not be endless.
  ///
  /// ![Marble diagram of zip-many](zip-many.svg)
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

  /// Combines the latest values of five publishers as a tuple. See `combineLatest(_:)`.
  ///
  /// ![Marble diagram of combine-latest-many](combine-latest-many.svg)
  @_disfavoredOverload
  @inlinable
  public func combineLatest<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    _ b: B, _ c: C, _ d: D, _ e: E
  ) -> AnyPublisher<(Output, B.Output, C.Output, D.Output, E.Output), Failure>
  where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure {
    combineLatest(b, c, d).combineLatest(e) { ($0.0, $0.1, $0.2, $0.3, $1) }.eraseToAnyPublisher()
  }

  /// Combines the latest values of six publishers as a tuple. See `combineLatest(_:)`.
  ///
  /// ![Marble diagram of combine-latest-many](combine-latest-many.svg)
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

  /// Combines the latest values of seven publishers as a tuple. See `combineLatest(_:)`.
  ///
  /// ![Marble diagram of combine-latest-many](combine-latest-many.svg)
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

  /// Combines the latest values of eight publishers as a tuple. See `combineLatest(_:)`.
  ///
  /// ![Marble diagram of combine-latest-many](combine-latest-many.svg)
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
