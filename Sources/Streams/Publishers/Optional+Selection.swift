extension Optional.Publisher {
  // MARK: Filtering

  /// The value if it satisfies a condition, asked at once.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Wrapped>.Publisher {
    output.flatMap { isIncluded($0) ? $0 : nil }.publisher
  }

  /// The value, or nothing if `count` is not zero. Traps if `count` is negative.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Optional<Wrapped>.Publisher {
    guard count >= 0 else { Violation.negativeCount("the count of dropFirst", count) }
    return Optional.Publisher(count == 0 ? output : nil)
  }

  /// The value unless it satisfies a condition, asked at once.
  @inlinable
  public func drop(while predicate: (Output) -> Bool) -> Optional<Wrapped>.Publisher {
    output.flatMap { predicate($0) ? nil : $0 }.publisher
  }

  /// This: the only value is the first.
  @inlinable
  public func first() -> Optional<Wrapped>.Publisher { self }

  /// The value if it satisfies a condition, asked at once.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Wrapped>.Publisher { filter(predicate) }

  /// This: the only value is the last.
  @inlinable
  public func last() -> Optional<Wrapped>.Publisher { self }

  /// The value if it satisfies a condition, asked at once.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Wrapped>.Publisher { filter(predicate) }

  /// The value if `index` is zero. Traps if `index` is negative.
  @inlinable
  public func output(at index: Int) -> Optional<Wrapped>.Publisher {
    guard index >= 0 else { Violation.negativeCount("the index of output", index) }
    return Optional.Publisher(index == 0 ? output : nil)
  }

  /// The value if `range` contains zero. Traps if a bound is negative.
  @inlinable
  public func output<Bounds: RangeExpression>(in range: Bounds) -> Optional<Wrapped>.Publisher
  where Bounds.Bound == Int {
    Optional.Publisher(range.places.contains(0) ? output : nil)
  }

  /// The value, or nothing if `maxLength` is zero. Traps if `maxLength` is negative.
  @inlinable
  public func prefix(_ maxLength: Int) -> Optional<Wrapped>.Publisher {
    guard maxLength >= 0 else { Violation.negativeCount("the length of a prefix", maxLength) }
    return Optional.Publisher(maxLength > 0 ? output : nil)
  }

  /// The value if it satisfies a condition, asked at once.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Wrapped>.Publisher { filter(predicate) }

  /// This. The closure is not called: one value has no duplicates.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Optional<Wrapped>.Publisher { self }

  // MARK: Failing

  /// This: it never fails.
  @inlinable
  public func replaceError(with output: Output) -> Optional<Output>.Publisher { self }

  /// The value, or `output` in place of none.
  @inlinable
  public func replaceEmpty(with output: Output) -> Just<Wrapped> { Just(self.output ?? output) }

  /// This: it never fails.
  @inlinable
  public func retry(_ times: Int) -> Optional<Wrapped>.Publisher { self }
}
