extension Publishers.Sequence {
  /// The elements that satisfy a condition, all asked at once.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Publishers.Sequence<[Output], Failure> {
    Publishers.Sequence(sequence: sequence.filter(isIncluded))
  }

  /// The elements without the first `count`; reads nothing yet. Traps if `count` is negative.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
    guard count >= 0 else { Violation.negativeCount("the count of dropFirst", count) }
    return Publishers.Sequence<DropFirstSequence<Elements>, Failure>(
      sequence: DropFirstSequence(sequence, dropping: count))
  }

  /// The elements from the first that does not satisfy a condition; looks for that one at once.
  @inlinable
  public func drop(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
    let rest: DropWhileSequence<Elements> = sequence.drop(while: predicate)
    return Publishers.Sequence<DropWhileSequence<Elements>, Failure>(sequence: rest)
  }

  /// The first `maxLength` elements; reads nothing yet. Traps if `maxLength` is negative.
  @inlinable
  public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
    guard maxLength >= 0 else { Violation.negativeCount("the length of a prefix", maxLength) }
    return Publishers.Sequence<PrefixSequence<Elements>, Failure>(
      sequence: PrefixSequence(sequence, maxLength: maxLength))
  }

  /// The elements before the first that does not satisfy a condition, asked at once.
  @inlinable
  public func prefix(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.prefix(while: predicate))
  }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// The elements without those that equal the one before, all compared at once.
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
  /// The first element that satisfies a condition, looked for at once.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(sequence.first(where: predicate))
  }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
  /// The first element, if there is one.
  @inlinable
  public func first() -> Optional<Output>.Publisher { Optional.Publisher(sequence.first) }

  /// The element at an index of the collection, if there is one: in a slice, that is not its place.
  @inlinable
  public func output(at index: Elements.Index) -> Optional<Output>.Publisher {
    Optional.Publisher(index >= sequence.startIndex && index < sequence.endIndex ? sequence[index] : nil)
  }
}

extension Publishers.Sequence where Elements: Collection {
  /// The elements at these indices of the collection, as far as it has them: in a slice, they are not places.
  @inlinable
  public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Output], Failure> {
    let present = range.clamped(to: sequence.startIndex..<sequence.endIndex)
    return Publishers.Sequence<[Output], Failure>(sequence: Array(sequence[present]))
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
  /// The element at an index of the collection, if there is one: in a slice, that is not its place.
  @inlinable
  public func output(at index: Elements.Index) -> Optional<Output>.Publisher {
    Optional.Publisher(index >= sequence.startIndex && index < sequence.endIndex ? sequence[index] : nil)
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
  /// The elements at these indices of the collection, as far as it has them: in a slice, they are not places.
  @inlinable
  public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Output], Failure> {
    let present = range.clamped(to: sequence.startIndex..<sequence.endIndex)
    return Publishers.Sequence<[Output], Failure>(sequence: Array(sequence[present]))
  }
}

extension Publishers.Sequence where Elements: BidirectionalCollection, Failure == Never {
  /// The last element, if there is one.
  @inlinable
  public func last() -> Optional<Output>.Publisher { Optional.Publisher(sequence.last) }

  /// The last element that satisfies a condition, looked for at once, from the end.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(sequence.last(where: predicate))
  }
}

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
  /// These elements, then the sequence's.
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> { prepend(elements) }

  /// These elements, read at once, then the sequence's.
  @inlinable
  public func prepend<Others: Swift.Sequence>(_ elements: Others) -> Publishers.Sequence<Elements, Failure>
  where Others.Element == Elements.Element {
    Publishers.Sequence(sequence: elements + sequence)
  }

  /// The elements of another sequence's publisher, then the sequence's.
  @inlinable
  public func prepend(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> {
    prepend(publisher.sequence)
  }

  /// The sequence's elements, then these.
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> { append(elements) }

  /// The sequence's elements, then these, read at once.
  @inlinable
  public func append<Others: Swift.Sequence>(_ elements: Others) -> Publishers.Sequence<Elements, Failure>
  where Others.Element == Elements.Element {
    Publishers.Sequence(sequence: sequence + elements)
  }

  /// The sequence's elements, then those of another sequence's publisher.
  @inlinable
  public func append(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> {
    append(publisher.sequence)
  }
}
