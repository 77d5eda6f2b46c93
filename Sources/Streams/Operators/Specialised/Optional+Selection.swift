extension Optional.Publisher {
  // MARK: Filtering

  /// Sends the value if it satisfies the predicate, which is called immediately.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Wrapped>.Publisher {
    output.flatMap { isIncluded($0) ? $0 : nil }.publisher
  }

  /// Sends the value, or nothing if `count` is not zero. Traps if `count` is negative.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Optional<Wrapped>.Publisher {
    guard count >= 0 else { Violation.negativeCount("the count of dropFirst", count) }
    return Optional.Publisher(count == 0 ? output : nil)
  }

  /// Sends the value unless it satisfies the predicate, which is called immediately.
  @inlinable
  public func drop(while predicate: (Output) -> Bool) -> Optional<Wrapped>.Publisher {
    output.flatMap { predicate($0) ? nil : $0 }.publisher
  }

  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func first() -> Optional<Wrapped>.Publisher { self }

  /// Sends the value if it satisfies the predicate, which is called immediately.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Wrapped>.Publisher { filter(predicate) }

  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func last() -> Optional<Wrapped>.Publisher { self }

  /// Sends the value if it satisfies the predicate, which is called immediately.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Wrapped>.Publisher { filter(predicate) }

  /// Sends the value if `index` is zero. Traps if `index` is negative.
  @inlinable
  public func output(at index: Int) -> Optional<Wrapped>.Publisher {
    guard index >= 0 else { Violation.negativeCount("the index of output", index) }
    return Optional.Publisher(index == 0 ? output : nil)
  }

  /// Sends the value if `range` contains zero. Traps if a bound is negative, or if the range ends with `Int.max`.
  @inlinable
  public func output<Bounds: RangeExpression>(in range: Bounds) -> Optional<Wrapped>.Publisher
  where Bounds.Bound == Int {
    Optional.Publisher(range.places.contains(0) ? output : nil)
  }

  /// Sends the value, or nothing if `maxLength` is zero. Traps if `maxLength` is negative.
  @inlinable
  public func prefix(_ maxLength: Int) -> Optional<Wrapped>.Publisher {
    guard maxLength >= 0 else { Violation.negativeCount("the length of a prefix", maxLength) }
    return Optional.Publisher(maxLength > 0 ? output : nil)
  }

  /// Sends the value if it satisfies the predicate, which is called immediately.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Wrapped>.Publisher { filter(predicate) }

  /// Returns this publisher. The closure is not called, because there is at most one value.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Optional<Wrapped>.Publisher { self }

  // MARK: Failing

  /// Returns this publisher, because it never fails.
  @inlinable
  public func replaceError(with output: Output) -> Optional<Output>.Publisher { self }

  /// Sends the value, or `output` without one.
  @inlinable
  public func replaceEmpty(with output: Output) -> Just<Wrapped> { Just(self.output ?? output) }

  /// Returns this publisher, because it never fails.
  @inlinable
  public func retry(_ times: Int) -> Optional<Wrapped>.Publisher { self }
}
