extension Just {
  // MARK: Filtering

  /// Sends the value if it satisfies the predicate, which is called immediately.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(isIncluded(output) ? output : nil)
  }

  /// Sends the value, or nothing if `count` is not zero. Traps if `count` is negative.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    Optional.Publisher(output).dropFirst(count)
  }

  /// Sends the value unless it satisfies the predicate, which is called immediately.
  @inlinable
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(predicate(output) ? nil : output)
  }

  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func first() -> Just<Output> { self }

  /// Sends the value if it satisfies the predicate, which is called immediately.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func last() -> Just<Output> { self }

  /// Sends the value if it satisfies the predicate, which is called immediately.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// Sends the value if `index` is zero. Traps if `index` is negative.
  @inlinable
  public func output(at index: Int) -> Optional<Output>.Publisher {
    Optional.Publisher(output).output(at: index)
  }

  /// Sends the value if `range` begins at zero and is not empty.
  ///
  /// Never traps. A range with a negative lower bound other than `Int.min` sends nothing, as in Combine. Combine sends the
  /// value for `0..<0`, too. Here it sends nothing.
  @inlinable
  public func output<Bounds: RangeExpression>(in range: Bounds) -> Optional<Output>.Publisher
  where Bounds.Bound == Int {
    // A range that begins below zero contains -1, too; so does one without a beginning, but that contains every number.
    let beginsBelow = range.contains(-1) && !range.contains(.min)
    return Optional.Publisher(range.contains(0) && !beginsBelow ? output : nil)
  }

  /// Sends the value, or nothing if `maxLength` is zero. Traps if `maxLength` is negative.
  @inlinable
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    Optional.Publisher(output).prefix(maxLength)
  }

  /// Sends the value if it satisfies the predicate, which is called immediately.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// Returns this publisher. The closure is not called, because there is at most one value.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Calls the closure once, immediately, with the value twice. Fails if the closure throws.
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

  /// Returns this publisher, because it never fails.
  @inlinable
  public func replaceError(with output: Output) -> Just<Output> { self }

  /// Returns this publisher, because it is never empty.
  @inlinable
  public func replaceEmpty(with output: Output) -> Just<Output> { self }

  /// Returns this publisher, because it never fails.
  @inlinable
  public func retry(_ times: Int) -> Just<Output> { self }

  // MARK: Combining

  /// Sends `elements` before the value.
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { prepend(elements) }

  /// Sends the elements of a sequence, which is read immediately, before the value.
  @inlinable
  public func prepend<Elements: Swift.Sequence>(
    _ elements: Elements
  ) -> Publishers.Sequence<[Output], Never> where Elements.Element == Output {
    Publishers.Sequence(sequence: elements + [output])
  }

  /// Sends `elements` after the value.
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { append(elements) }

  /// Sends the elements of a sequence, which is read immediately, after the value.
  @inlinable
  public func append<Elements: Swift.Sequence>(
    _ elements: Elements
  ) -> Publishers.Sequence<[Output], Never> where Elements.Element == Output {
    Publishers.Sequence(sequence: [output] + elements)
  }
}
