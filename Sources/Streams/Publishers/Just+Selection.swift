extension Just {
  // MARK: Filtering

  /// The value if it satisfies a condition, asked at once.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(isIncluded(output) ? output : nil)
  }

  /// The value, or nothing if `count` is not zero. Traps if `count` is negative.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    Optional.Publisher(output).dropFirst(count)
  }

  /// The value unless it satisfies a condition, asked at once.
  @inlinable
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(predicate(output) ? nil : output)
  }

  /// This: the only value is the first.
  @inlinable
  public func first() -> Just<Output> { self }

  /// The value if it satisfies a condition, asked at once.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// This: the only value is the last.
  @inlinable
  public func last() -> Just<Output> { self }

  /// The value if it satisfies a condition, asked at once.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// The value if `index` is zero. Traps if `index` is negative.
  @inlinable
  public func output(at index: Int) -> Optional<Output>.Publisher {
    Optional.Publisher(output).output(at: index)
  }

  /// The value if `range` begins at zero and is not empty.
  ///
  /// Never traps: a range with a negative lower bound gives nothing, as in Combine. Combine gives the value for `0..<0`,
  /// too; here it gives nothing.
  @inlinable
  public func output<Bounds: RangeExpression>(in range: Bounds) -> Optional<Output>.Publisher
  where Bounds.Bound == Int {
    // A range that begins below zero contains -1, too; so does one without a beginning, but that contains every number.
    let beginsBelow = range.contains(-1) && !range.contains(.min)
    return Optional.Publisher(range.contains(0) && !beginsBelow ? output : nil)
  }

  /// The value, or nothing if `maxLength` is zero. Traps if `maxLength` is negative.
  @inlinable
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    Optional.Publisher(output).prefix(maxLength)
  }

  /// The value if it satisfies a condition, asked at once.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// This. The closure is not called: one value has no duplicates.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> { self }

  /// The value. The closure is called once, at once, with the value twice, for what it may throw.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    Result {
      _ = try predicate(output, output)
      return output
    }.publisher
  }

  // MARK: Failing

  /// This: it never fails.
  @inlinable
  public func replaceError(with output: Output) -> Just<Output> { self }

  /// This: it is never empty.
  @inlinable
  public func replaceEmpty(with output: Output) -> Just<Output> { self }

  /// This: it never fails.
  @inlinable
  public func retry(_ times: Int) -> Just<Output> { self }

  // MARK: Combining

  /// These elements, then the value.
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { prepend(elements) }

  /// These elements, read at once, then the value.
  @inlinable
  public func prepend<Elements: Swift.Sequence>(
    _ elements: Elements
  ) -> Publishers.Sequence<[Output], Never> where Elements.Element == Output {
    Publishers.Sequence(sequence: elements + [output])
  }

  /// The value, then these elements.
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { append(elements) }

  /// The value, then these elements, read at once.
  @inlinable
  public func append<Elements: Swift.Sequence>(
    _ elements: Elements
  ) -> Publishers.Sequence<[Output], Never> where Elements.Element == Output {
    Publishers.Sequence(sequence: [output] + elements)
  }
}
