extension Publishers.Sequence {
  /// Sends the elements that satisfy the predicate, which is called immediately for all of them.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Publishers.Sequence<[Output], Failure> {
    Publishers.Sequence(sequence: sequence.filter(isIncluded))
  }

  /// Drops the first `count` elements, lazily. Traps if `count` is negative.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
    guard count >= 0 else { Violation.negativeCount("the count of dropFirst", count) }
    return Publishers.Sequence<DropFirstSequence<Elements>, Failure>(
      sequence: DropFirstSequence(sequence, dropping: count))
  }

  /// Drops elements while they satisfy the predicate, which is called immediately.
  @inlinable
  public func drop(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
    let rest: DropWhileSequence<Elements> = sequence.drop(while: predicate)
    return Publishers.Sequence<DropWhileSequence<Elements>, Failure>(sequence: rest)
  }

  /// Sends the first `maxLength` elements, lazily. Traps if `maxLength` is negative.
  @inlinable
  public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
    guard maxLength >= 0 else { Violation.negativeCount("the length of a prefix", maxLength) }
    return Publishers.Sequence<PrefixSequence<Elements>, Failure>(
      sequence: PrefixSequence(sequence, maxLength: maxLength))
  }

  /// Sends elements while they satisfy the predicate, which is called immediately.
  @inlinable
  public func prefix(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.prefix(while: predicate))
  }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// Drops elements that equal the previous one. All elements are compared immediately.
  @inlinable
  public func removeDuplicates() -> Publishers.Sequence<[Output], Failure> {
    var last: Output?
    return filter { element in
      defer { last = element }
      return element != last
    }
  }
}

extension Publishers.Sequence where Failure == Never {
  /// Sends the first element that satisfies the predicate, which is called immediately.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(sequence.first(where: predicate))
  }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
  /// Sends the first element, if there is one.
  @inlinable
  public func first() -> Optional<Output>.Publisher { Optional.Publisher(sequence.first) }

  /// Sends the element at an index of the collection, if there is one. In a slice, an index is not a position.
  @inlinable
  public func output(at index: Elements.Index) -> Optional<Output>.Publisher {
    Optional.Publisher(index >= sequence.startIndex && index < sequence.endIndex ? sequence[index] : nil)
  }
}

extension Publishers.Sequence where Elements: Collection {
  /// Sends the elements at existing indices of the collection. In a slice, an index is not a position.
  @inlinable
  public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Output], Failure> {
    let present = range.clamped(to: sequence.startIndex..<sequence.endIndex)
    return Publishers.Sequence<[Output], Failure>(sequence: Array(sequence[present]))
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
  /// Sends the element at an index of the collection, if there is one. In a slice, an index is not a position.
  @inlinable
  public func output(at index: Elements.Index) -> Optional<Output>.Publisher {
    Optional.Publisher(index >= sequence.startIndex && index < sequence.endIndex ? sequence[index] : nil)
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
  /// Sends the elements at existing indices of the collection. In a slice, an index is not a position.
  @inlinable
  public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Output], Failure> {
    let present = range.clamped(to: sequence.startIndex..<sequence.endIndex)
    return Publishers.Sequence<[Output], Failure>(sequence: Array(sequence[present]))
  }
}

extension Publishers.Sequence where Elements: BidirectionalCollection, Failure == Never {
  /// Sends the last element, if there is one.
  @inlinable
  public func last() -> Optional<Output>.Publisher { Optional.Publisher(sequence.last) }

  /// Sends the last element that satisfies the predicate, which is called immediately, from the end.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(sequence.last(where: predicate))
  }
}

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
  /// Sends `elements` before the elements of the sequence.
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> { prepend(elements) }

  /// Sends the elements of another sequence, which is read immediately, before the elements of the sequence.
  @inlinable
  public func prepend<Others: Swift.Sequence>(_ elements: Others) -> Publishers.Sequence<Elements, Failure>
  where Others.Element == Elements.Element {
    Publishers.Sequence(sequence: elements + sequence)
  }

  /// Sends the elements of another sequence's publisher before the elements of the sequence.
  @inlinable
  public func prepend(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> {
    prepend(publisher.sequence)
  }

  /// Sends `elements` after the elements of the sequence.
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> { append(elements) }

  /// Sends the elements of another sequence, which is read immediately, after the elements of the sequence.
  @inlinable
  public func append<Others: Swift.Sequence>(_ elements: Others) -> Publishers.Sequence<Elements, Failure>
  where Others.Element == Elements.Element {
    Publishers.Sequence(sequence: sequence + elements)
  }

  /// Sends the elements of another sequence's publisher after the elements of the sequence.
  @inlinable
  public func append(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> {
    append(publisher.sequence)
  }
}
